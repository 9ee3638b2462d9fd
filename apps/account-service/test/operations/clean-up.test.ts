import { cleanUp } from '../../src/clean-up/clean-up.ts';
import { SERVICE_RULES } from '../../src/clean-up/clean-up-rules.ts';
import { CleanUpTimer } from '../../src/clean-up/clean-up-timer.ts';
import { runCommand } from '../support/run-command.ts';
import { useAccountService } from '../support/running-account-service.ts';

const service = useAccountService();

beforeAll(async () => {
  await service.session('ada@acme.example');
  await service.signInForCode('ada@acme.example');
});

const sql = (text: string) => service.database.asOwner.query<Record<string, number>>({ text });
const counts = async () =>
  (
    await sql(`SELECT (SELECT count(*)::integer FROM account.sign_in_attempts) AS attempts,
                      (SELECT count(*)::integer FROM account.authorization_codes) AS codes,
                      (SELECT count(*)::integer FROM account.sessions) AS sessions,
                      (SELECT count(*)::integer FROM account.revocations) AS revocations`)
  )[0];

/** Inserts 2,500 expired rows into each table. */
async function insertExpiredRows(): Promise<void> {
  const rows = 'FROM generate_series(1, 2500) AS number';
  await sql(`INSERT INTO account.sign_in_attempts
               (state_hash, browser_hash, provider, encrypted_code_verifier, frontend_url, expires_at)
             SELECT sha256(number::text::bytea), '', 'github', '', '', now() - interval '10 days' ${rows}`);
  await sql(`INSERT INTO account.authorization_codes
               (code_hash, user_id, sign_in_method, frontend_url, browser_hash, expires_at)
             SELECT sha256(number::text::bytea), 1, 'github', '', '', now() - interval '10 days' ${rows}`);
  await sql(`INSERT INTO account.sessions (id, user_id, sign_in_method, refresh_token_hash, signed_in_at, expires_at)
             SELECT gen_random_uuid(), 1, 'github', sha256(number::text::bytea), now() - interval '11 days',
                    now() - interval '10 days' ${rows}`);
  await sql(`INSERT INTO account.revocations (kind, subject_id, recorded_at)
             SELECT 'user', '1', now() - interval '10 days' ${rows}`);
  await sql(`INSERT INTO account.audit_events (action, actor, occurred_at)
             SELECT 'old', 'anonymous', now() - interval '100 days' ${rows}`);
}

test('the service deletes expired rows of its own tables only', async () => {
  const before = await counts();
  await insertExpiredRows();
  await service.running.application.get(CleanUpTimer).run();
  expect(await counts()).toEqual({ ...before, revocations: 2500 });
  const { access_token: token } = await service.session('ada@acme.example');
  expect((await service.get('/api/v1/me', token)).status).toBe(200);
});

test('the command deletes the remaining expired rows and audit events beyond their retention', async () => {
  await sql(`INSERT INTO account.revocations (kind, subject_id, recorded_at)
             VALUES ('signing_key', 'stolen', now() - interval '10 days')`);
  await sql(`INSERT INTO account.signing_keys (kid, public_jwk, encrypted_private_key, published_at, sign_from, retire_at)
             VALUES ('retired', '{}', '', now(), now() - interval '60 days', now() - interval '31 days'),
                    ('retired lately', '{}', '', now(), now() - interval '60 days', now() - interval '29 days')`);
  const clean = (days: string) =>
    runCommand(
      { OWNER_DATABASE_URL: service.database.ownerUrl, OPERATOR: 'olga', AUDIT_RETENTION_DAYS: days },
      'clean-up',
      '--json',
    );
  const first = {
    sign_in_attempts: 0,
    authorization_codes: 0,
    sessions: 0,
    password_attempts: 0,
    revocations: 2500,
    signing_keys: 1,
  };
  expect(JSON.parse(await clean('101'))).toEqual({ removed: { ...first, audit_events: 0 } });
  expect(JSON.parse(await clean('99'))).toEqual({
    removed: { ...first, revocations: 0, signing_keys: 0, audit_events: 2500 },
  });
  expect(await sql('SELECT kind, subject_id FROM account.revocations')).toEqual([
    { kind: 'signing_key', subject_id: 'stolen' },
  ]);
  await expect(clean('7')).rejects.toThrow(
    'AUDIT_RETENTION_DAYS is not valid: it should be an integer from 30 to',
  );
  expect(
    await sql(`SELECT count(*)::integer AS count FROM account.audit_events WHERE action = 'cleaned_up'`),
  ).toEqual([{ count: 2 }]);
});

test('concurrent runs delete every row once', async () => {
  await insertExpiredRows();
  const runs = await Promise.all([1, 2].map(() => cleanUp(service.database.asOwner, SERVICE_RULES)));
  const deleted = (table: string) => runs.reduce((sum, removed) => sum + (removed[table] ?? 0), 0);
  for (const table of ['sign_in_attempts', 'authorization_codes', 'sessions']) {
    expect([table, deleted(table)]).toEqual([table, 2500]);
  }
});

test('a sign-in does not wait for a running clean-up', async () => {
  await sql(`INSERT INTO account.sessions (id, user_id, sign_in_method, refresh_token_hash, signed_in_at, expires_at)
             SELECT gen_random_uuid(), 1, 'github', sha256(('y' || number)::bytea), now() - interval '11 days',
                    now() - interval '10 days' FROM generate_series(1, 100) AS number`);
  await service.database.asOwner.transaction(async (transaction) => {
    await transaction.query({
      text: `DELETE FROM account.sessions WHERE expires_at < now() - interval '7 days'`,
    });
    expect((await service.session('ada@acme.example')).token_type).toBe('Bearer');
  });
});
