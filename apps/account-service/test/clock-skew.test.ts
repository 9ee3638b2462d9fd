import { SigningKeys } from '../src/signing-keys/signing-keys.service.ts';
import { FRONTEND_URL, INTERNAL_CREDENTIAL, useAccountService } from './support/running-account-service.ts';

const VERA = 'vera@acme.example';

const service = useAccountService({ environment: { PASSWORD_SIGN_IN: 'true' } });

beforeAll(async () => {
  await service.session('ada@acme.example');
  await service.session(VERA);
});

afterEach(() => {
  service.clock.skewSeconds = 0;
});

const meStatus = async (token: string) => (await service.get('/api/v1/me', token)).status;

const issuedAtOf = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString()) as { iat: number }).iat;

/** Runs with the clock of the node ahead of the database or behind it. */
async function withSkew<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  service.clock.skewSeconds = seconds;
  try {
    return await work();
  } finally {
    service.clock.skewSeconds = 0;
  }
}

const skews = [-30, 20, 300];
const hourMs = 3_600_000;

test.each(skews)('publishes and activates signing keys on time at %i s of skew', async (skew) => {
  const keys = service.running.application.get(SigningKeys);
  const schedule = () =>
    service.database.asOwner.query<{ kid: string; published_at: Date; sign_from: Date }>({
      text: 'SELECT kid, published_at, sign_from FROM account.signing_keys ORDER BY sign_from DESC',
    });
  await service.run('signing-keys', 'rotate');
  const [next] = await schedule();
  await withSkew(skew + 600, async () => {
    await keys.refresh();
    const { access_token: token } = await service.session(VERA);
    const [header = ''] = token.split('.');
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).not.toMatchObject({ kid: next?.kid });
    await service.database.asOwner.query({
      text: `UPDATE account.signing_keys SET sign_from = sign_from - interval '31 days'`,
    });
    await keys.refresh();
    const [published] = await schedule();
    expect(Math.abs((published?.published_at.getTime() ?? 0) - Date.now())).toBeLessThan(5_000);
  });
});

test.each(skews)('API keys expire by the time of the database at %i s of skew', async (skew) => {
  const { access_token: token } = await service.session('ada@acme.example');
  const create = (offsetMs: number) =>
    service.post(
      '/api/v1/keys/',
      { name: 'x', workspace_id: 1, expires_at: new Date(Date.now() + offsetMs).toISOString() },
      { authorization: `Bearer ${token}` },
    );
  const skewMs = skew * 1_000;
  await withSkew(skew, async () => {
    // Halfway between the two clocks, where they disagree.
    expect((await create(skewMs / 2)).status).toBe(skew > 0 ? 201 : 400);
    const created = await create(hourMs);
    const { api_key: key } = (await created.json()) as { api_key: { id: number; key: string } };
    await service.database.asOwner.query({
      text: `UPDATE account.api_keys SET expires_at = clock_timestamp() + $2 * interval '1 ms' WHERE id = $1`,
      values: [key.id, skewMs / 2],
    });
    const listed = (await (await service.get('/api/v1/keys/', token)).json()) as {
      api_keys: { id: number; is_active: boolean }[];
    };
    expect(listed.api_keys.find(({ id }) => id === key.id)?.is_active).toBe(skew > 0);
    const introspected = await fetch(`${service.internalUrl}/internal/v1/keys/introspect`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${INTERNAL_CREDENTIAL}` },
      body: JSON.stringify({ key: key.key }),
    });
    expect(await introspected.json()).toMatchObject({ active: skew > 0 });
  });
});

test.each(skews)('a password lock ends by the time of the database at %i s of skew', async (skew) => {
  const attempt = () =>
    service.post('/api/v1/auth/password', {
      email: `unknown${skew}@acme.example`,
      password: 'wrong',
      frontend_url: FRONTEND_URL,
    });
  await withSkew(skew, async () => {
    for (let count = 0; count < 5; count += 1) await attempt();
  });
  const locked = await attempt();
  expect(locked.status).toBe(429);
  expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(30);
});

test.each(skews)('stamps tokens and sessions with the time of the database at %i s of skew', async (skew) => {
  const { access_token: token } = await withSkew(skew, () => service.session(VERA));
  expect(Math.abs(issuedAtOf(token) - Date.now() / 1000)).toBeLessThan(5);
  const [session] = await service.database.asOwner.query<{ age: number; ttl: number }>({
    text: `SELECT extract(epoch FROM clock_timestamp() - signed_in_at)::float AS age,
                  extract(epoch FROM expires_at - signed_in_at)::float AS ttl
             FROM account.sessions ORDER BY signed_in_at DESC LIMIT 1`,
  });
  expect(Math.abs(session?.age ?? Infinity)).toBeLessThan(5);
  expect(session?.ttl).toBe(86_400);
});

test.each(skews)(
  'a revocation ends earlier tokens within 2 s and no later ones at %i s of skew',
  async (skew) => {
    const { access_token: old, refresh_token } = await withSkew(skew, () => service.session(VERA));
    expect(await meStatus(old)).toBe(200);
    await service.run('members', 'remove', 'acme/research', VERA, '--yes');
    await service.within2Seconds(async () => (await meStatus(old)) === 401);
    const refreshed = await withSkew(skew, () => service.refresh(refresh_token));
    const { access_token: token } = (await refreshed.json()) as { access_token: string };
    expect(await meStatus(token)).toBe(200);
    await service.run('members', 'set', 'acme/research', VERA, 'viewer');
  },
);

test.each(skews)('accepts a fresh code and rejects one older than 60 s at %i s of skew', async (skew) => {
  const fresh = await service.signInForCode(VERA);
  expect((await withSkew(skew, () => service.redeem(fresh))).status).toBe(200);
  const code = await withSkew(skew, () => service.signInForCode(VERA));
  await service.database.asOwner.query({
    text: `UPDATE account.authorization_codes SET expires_at = expires_at - interval '61 seconds'
            WHERE consumed_at IS NULL`,
  });
  expect((await withSkew(-30, () => service.redeem(code))).status).toBe(401);
});
