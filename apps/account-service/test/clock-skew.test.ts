import { useAccountService } from './support/running-account-service.ts';

const VERA = 'vera@acme.example';

const service = useAccountService();

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

test.each(skews)('a removed member loses a token of a node at %i s of skew within 2 s', async (skew) => {
  const { access_token: token } = await withSkew(skew, () => service.session(VERA));
  expect(await meStatus(token)).toBe(200);
  await service.run('members', 'remove', 'acme/research', VERA, '--yes');
  await service.within2Seconds(async () => (await meStatus(token)) === 401);
  await service.run('members', 'set', 'acme/research', VERA, 'viewer');
});

test.each(skews)('a token refreshed after a revocation is valid at %i s of skew', async (skew) => {
  const { access_token: old, refresh_token } = await service.session(VERA);
  await service.run('members', 'remove', 'acme/research', VERA, '--yes');
  await service.within2Seconds(async () => (await meStatus(old)) === 401);
  const refreshed = await withSkew(skew, () => service.refresh(refresh_token));
  const { access_token: token } = (await refreshed.json()) as { access_token: string };
  expect(await meStatus(token)).toBe(200);
  await service.run('members', 'set', 'acme/research', VERA, 'viewer');
});

test.each(skews)('accepts a fresh code at %i s of skew', async (skew) => {
  const code = await service.signInForCode(VERA);
  expect((await withSkew(skew, () => service.redeem(code))).status).toBe(200);
});

test.each(skews)('rejects a code older than 60 s at %i s of skew', async (skew) => {
  const code = await withSkew(skew, () => service.signInForCode(VERA));
  await service.database.asOwner.query({
    text: `UPDATE account.authorization_codes SET expires_at = expires_at - interval '61 seconds'
            WHERE consumed_at IS NULL`,
  });
  expect((await withSkew(-30, () => service.redeem(code))).status).toBe(401);
});
