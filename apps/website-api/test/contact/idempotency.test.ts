import { randomUUID } from 'node:crypto';
import { KEYS } from '../support/fake-account-service.ts';
import { ORIGIN, REQUEST, useContactFixture } from '../support/contact-fixture.ts';

const fixture = useContactFixture();

describe('Idempotency-Key', () => {
  it('stores concurrent and sequential repeats once', async () => {
    const headers = { origin: ORIGIN, 'idempotency-key': randomUUID() };
    const responses = await Promise.all(Array.from({ length: 10 }, () => fixture.submit(REQUEST, headers)));
    const again = await fixture.submit(REQUEST, headers);
    expect(new Set([...responses, again].map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await fixture.stored()).toHaveLength(1);
  });

  it('returns 409 for a different request and is scoped to the sender', async () => {
    const headers = { origin: ORIGIN, 'idempotency-key': 'one' };
    expect((await fixture.submit(REQUEST, headers)).status).toBe(202);
    expect((await fixture.submit({ ...REQUEST, message: 'Another.' }, headers)).status).toBe(409);
    expect(
      (await fixture.submit(REQUEST, { 'x-api-key': KEYS.contact, 'idempotency-key': 'one' })).status,
    ).toBe(202);
    expect(await fixture.stored()).toHaveLength(2);
  });

  it('expires after 24 hours', async () => {
    const headers = { origin: ORIGIN, 'idempotency-key': 'one' };
    const first = await fixture.submit(REQUEST, headers);
    await fixture.owner.query(
      `UPDATE website.contact_requests SET received_at = now() - interval '25 hours'`,
    );
    expect((await fixture.submit(REQUEST, headers)).body.id).not.toBe(first.body.id);
  });

  it.each(['', 'with blank', 'x'.repeat(256)])('rejects %j with 400', async (key) => {
    expect((await fixture.submit(REQUEST, { origin: ORIGIN, 'idempotency-key': key })).status).toBe(400);
  });
});
