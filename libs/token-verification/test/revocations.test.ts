import { randomUUID } from 'node:crypto';
import { type Caller, REVOCATION_LIFETIME_SECONDS, Revocations } from '../src/index.ts';

const nowSeconds = Math.floor(Date.now() / 1000);
const callerOf = (sessionId: string): Caller => ({
  userId: 7,
  sessionId,
  access: [{ customer_id: 3, workspace_ids: 'all' }],
  issuedAt: nowSeconds - 60,
  expiresAt: nowSeconds + 3_600,
  signingKeyId: 'key-1',
});

/** One entry of a session list: the bytes of the id, then the second of the revocation. */
function entryOf(id: string, seconds: number): Buffer {
  const entry = Buffer.alloc(20);
  entry.write(id.replaceAll('-', ''), 0, 'hex');
  entry.writeUInt32BE(seconds, 16);
  return entry;
}

test('finds each session of a list, and no other', () => {
  const revocations = new Revocations();
  const ids = Array.from({ length: 20_000 }, () => randomUUID());
  revocations.addSessions(Buffer.concat(ids.map((id) => entryOf(id, nowSeconds))));
  revocations.addSessions(entryOf(ids[0] as string, nowSeconds));
  expect(revocations.size).toBe(20_000);
  expect(ids.filter((id) => !revocations.isRevoked(callerOf(id)))).toEqual([]);
  const others = Array.from({ length: 20_000 }, () => randomUUID());
  expect(others.filter((id) => revocations.isRevoked(callerOf(id)))).toEqual([]);
});

test('keeps a revocation as long as a token can be valid, with the allowed clock skew', () => {
  expect(REVOCATION_LIFETIME_SECONDS).toBe(6 * 3_600 + 600);
  const revocations = new Revocations();
  const [expired, current] = [randomUUID(), randomUUID()];
  const revoke = (id: string, ageSeconds: number) =>
    revocations.add({
      kind: 'session',
      id,
      not_before: new Date((nowSeconds - ageSeconds) * 1000).toISOString(),
    });
  revoke(expired, REVOCATION_LIFETIME_SECONDS + 2);
  revoke(current, REVOCATION_LIFETIME_SECONDS - 2);
  revocations.removeExpired(nowSeconds * 1000);
  expect(revocations.isRevoked(callerOf(expired))).toBe(false);
  expect(revocations.isRevoked(callerOf(current))).toBe(true);
  expect(revocations.size).toBe(1);
});
