import { useAccountService } from './support/running-account-service.ts';

/** vera owns one workspace of acme and views another one; ada is its administrator. */
const tenants = ({
  acme = 'acme.example',
  globex = '[globex.example]',
  signInMethods = '',
  administrators = '[ada@acme.example]',
  research = '{ vera@acme.example: owner }',
  production = '{ vera@acme.example: viewer }',
} = {}) => `
customers:
  - slug: acme
    name: Acme
    domains: [${acme}]
    ${signInMethods}
    administrators: ${administrators}
    workspaces:
      - { slug: research, name: Research, default: true, members: ${research} }
      - { slug: production, name: Production, members: ${production} }
  - slug: globex
    name: Globex
    domains: ${globex}
    workspaces:
      - { slug: main, name: Main }
`;

const VERA = 'vera@acme.example';
const ADA = 'ada@acme.example';

/**
 * - ended: access and refresh token are rejected
 * - reissued: the access token is rejected, a refresh returns one with less access
 * - valid: both tokens are accepted
 */
type Outcome = 'ended' | 'reissued' | 'valid';

interface Case {
  change: string[] | string;
  email?: string;
  github: Outcome;
  google: Outcome;
  code: 'burned' | 'valid';
  /** Workspaces and roles after the change, for sessions that have not ended. */
  roles?: Record<string, string>;
}

const ALL_ENDED = { github: 'ended', google: 'ended', code: 'burned' } as const;
const ALL_REISSUED = { github: 'reissued', google: 'reissued', code: 'valid' } as const;
const GITHUB_ENDED = { github: 'ended', google: 'valid', code: 'burned' } as const;

const cases: Record<string, Case> = {
  'sign-in methods narrowed by a command': {
    change: ['customers', 'set', 'acme', '--sign-in-methods', 'google'],
    ...GITHUB_ENDED,
  },
  'sign-in methods narrowed by a file': {
    change: tenants({ signInMethods: 'sign_in_methods: [google]' }),
    ...GITHUB_ENDED,
  },
  'domain removed': { change: ['domains', 'remove', 'acme.example', '--yes'], ...ALL_ENDED },
  'domain moved to another customer': {
    change: tenants({
      acme: 'other.example',
      globex: '[globex.example, acme.example]',
      administrators: '[]',
      research: '{}',
      production: '{}',
    }),
    ...ALL_ENDED,
  },
  'role lowered': {
    change: ['members', 'set', 'acme/research', VERA, 'viewer'],
    ...{ github: 'valid', google: 'valid', code: 'valid' },
    roles: { research: 'viewer', production: 'viewer' },
  },
  'administrator demoted': {
    change: ['users', 'demote', ADA, '--yes'],
    email: ADA,
    ...ALL_REISSUED,
    roles: {},
  },
  'member removed': {
    change: ['members', 'remove', 'acme/production', VERA, '--yes'],
    ...ALL_REISSUED,
    roles: { research: 'owner' },
  },
  'member moved to another workspace': {
    change: tenants({ research: '{}', production: '{ vera@acme.example: owner }' }),
    ...ALL_REISSUED,
    roles: { production: 'owner' },
  },
  'identity unlinked': { change: ['users', 'unlink', VERA, 'github', '--yes'], ...ALL_ENDED },
  'user disabled': { change: ['users', 'disable', VERA], ...ALL_ENDED },
  'customer inactive': { change: ['customers', 'disable', 'acme', '--yes'], ...ALL_ENDED },
};

const service = useAccountService({ tenants: tenants() });

afterEach(async () => {
  await service.database.applyTenants(tenants());
  await service.run('users', 'enable', VERA);
});

const statusOf = async (response: Promise<Response>) => (await response).status;

async function expectOutcome(
  outcome: Outcome,
  { access_token, refresh_token }: { access_token: string; refresh_token: string },
  roles: Record<string, string> | undefined,
): Promise<void> {
  const me = () => statusOf(service.get('/api/v1/me', access_token));
  if (outcome === 'valid') expect(await me()).toBe(200);
  else await service.within2Seconds(async () => (await me()) === 401);
  const refreshed = await service.refresh(refresh_token);
  expect(refreshed.status).toBe(outcome === 'ended' ? 401 : 200);
  if (outcome === 'ended' || roles === undefined) return;
  const { access_token: token } = (await refreshed.json()) as { access_token: string };
  const response = await service.get('/api/v1/workspaces/', token);
  const { workspaces } = (await response.json()) as {
    workspaces: { id: number; name: string; role: string }[];
  };
  const found = workspaces.map(({ name, role }) => [name.toLowerCase(), role]);
  expect(Object.fromEntries(found)).toEqual(roles);
  for (const { id, role } of workspaces) {
    const created = service.post(
      '/api/v1/keys/',
      { name: 'rack', workspace_id: id },
      { authorization: `Bearer ${token}` },
    );
    expect(await statusOf(created)).toBe(role === 'viewer' ? 403 : 201);
  }
}

test.each(Object.entries(cases))(
  'takes effect within 2 s: %s',
  async (_name, { change, email = VERA, github, google, code, roles }) => {
    const [atGithub, atGoogle] = [
      await service.session(email, 'github'),
      await service.session(email, 'google'),
    ];
    const pending = await service.signInForCode(email, 'github');
    for (const { access_token: token } of [atGithub, atGoogle]) {
      expect(await statusOf(service.get('/api/v1/me', token))).toBe(200);
    }
    if (typeof change === 'string') await service.database.applyTenants(change);
    else await service.run(...change);
    await expectOutcome(github, atGithub, roles);
    await expectOutcome(google, atGoogle, roles);
    expect(await statusOf(service.redeem(pending))).toBe(code === 'burned' ? 401 : 200);
  },
);
