import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { signInWithoutBrowser, type IdentityProviderEndpoints } from '../src/index.ts';
import { callbackOrigin, callbackUrl, clients } from './support/test-provider.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

function run(args: string[], variables: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'] ?? '', ...variables };
  const child = spawn(process.execPath, [main, ...args], { env });
  return { child, exit: once(child, 'exit') as Promise<[number | null, string | null]> };
}

async function signsIn(endpoints: IdentityProviderEndpoints, email: string): Promise<boolean> {
  const start = new URL(endpoints.google.authorizationUrl);
  const { clientId } = clients.google;
  start.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: callbackUrl,
    response_type: 'code',
    scope: 'email',
  }).toString();
  return (await signInWithoutBrowser(start, email, { frontendOrigin: callbackOrigin })).searchParams.has(
    'code',
  );
}

async function ready(child: ReturnType<typeof run>['child']): Promise<IdentityProviderEndpoints> {
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return JSON.parse(line) as IdentityProviderEndpoints;
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  'prints its endpoints, signs in, and exits with 0 on %s',
  async (signal) => {
    const { child, exit } = run(['--port', '0'], { IDENTITY_PROVIDER_CONFIG: JSON.stringify({ clients }) });
    const stderr = text(child.stderr);
    const endpoints = await ready(child);
    expect(endpoints).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      github: {
        authorizationUrl: `${endpoints.url}/github/login/oauth/authorize`,
        tokenUrl: `${endpoints.url}/github/login/oauth/access_token`,
        userUrl: `${endpoints.url}/github/api/user`,
        emailsUrl: `${endpoints.url}/github/api/user/emails`,
      },
      google: {
        authorizationUrl: `${endpoints.url}/google/o/oauth2/v2/auth`,
        tokenUrl: `${endpoints.url}/google/token`,
        userInfoUrl: `${endpoints.url}/google/oauth2/v3/userinfo`,
      },
    });
    expect(await signsIn(endpoints, 'nina@nowhere.example')).toBe(true);
    child.kill(signal);
    expect(await exit).toEqual([0, null]);
    expect(await stderr).toBe('');
  },
);

const accounts = [
  {
    email: 'solo@acme.example',
    name: 'Solo',
    google: { sub: '1', pictureUrl: 'https://pictures.example/solo.png' },
  },
];

it('reads its configuration from standard input or a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'identity-provider-'));
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify({ clients, accounts }));
  try {
    for (const config of ['-', file]) {
      const { child, exit } = run(['--config', config], { IDENTITY_PROVIDER_PORT: '0' });
      child.stdin.end(JSON.stringify({ clients, accounts }));
      expect(await signsIn(await ready(child), 'solo@acme.example')).toBe(true);
      child.kill('SIGTERM');
      expect(await exit).toEqual([0, null]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const configured = { IDENTITY_PROVIDER_CONFIG: JSON.stringify({ clients }) };
it.each([
  ['production', [], { ...configured, NODE_ENV: 'production' }, 'does not start with NODE_ENV=production'],
  ['no configuration', [], {}, 'No configuration: pass --config FILE, or set IDENTITY_PROVIDER_CONFIG.'],
  ['text that is not JSON', [], { IDENTITY_PROVIDER_CONFIG: '{' }, 'The configuration is not JSON'],
  [
    'a configuration without clients',
    [],
    { IDENTITY_PROVIDER_CONFIG: '{}' },
    'must be a JSON object with "clients"',
  ],
  [
    'an invalid port',
    ['--port', '70000'],
    configured,
    'The port must be an integer from 0 to 65535, got "70000".',
  ],
  ['an unknown flag', ['--prot', '1'], configured, "Unknown option '--prot'"],
])('exits with 1 and a message for %s', async (_, args, variables: Record<string, string>, message) => {
  const { child, exit } = run(args, variables);
  const stderr = text(child.stderr);
  expect(await exit).toEqual([1, null]);
  expect(await stderr).toContain(message);
});
