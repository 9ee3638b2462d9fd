import { randomUUID } from 'node:crypto';
import { KEYS } from '../support/account-stand-in.ts';
import { ContactDesk, ORIGIN, REQUEST } from '../support/contact-desk.ts';

let desk: ContactDesk;

beforeAll(async () => {
  desk = await ContactDesk.open();
});

beforeEach(() => desk.forgetAll());

afterAll(() => desk.close());

describe('Idempotency-Key', () => {
  it('makes one request of many, at once or one after the other', async () => {
    const headers = { origin: ORIGIN, 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => desk.submit(REQUEST, headers)));
    const again = await desk.submit(REQUEST, headers);
    expect(new Set([...answers, again].map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await desk.stored()).toHaveLength(1);
  });

  it('is refused with another REQUEST, and is each sender’s own', async () => {
    const headers = { origin: ORIGIN, 'idempotency-key': 'one' };
    expect((await desk.submit(REQUEST, headers)).status).toBe(202);
    expect((await desk.submit({ ...REQUEST, message: 'Another.' }, headers)).status).toBe(409);
    expect((await desk.submit(REQUEST, { 'x-api-key': KEYS.contact, 'idempotency-key': 'one' })).status).toBe(
      202,
    );
    expect(await desk.stored()).toHaveLength(2);
  });

  it('means a new request after a day', async () => {
    const headers = { origin: ORIGIN, 'idempotency-key': 'one' };
    const first = await desk.submit(REQUEST, headers);
    await desk.owner.query(`UPDATE website.contact_requests SET received_at = now() - interval '25 hours'`);
    expect((await desk.submit(REQUEST, headers)).body.id).not.toBe(first.body.id);
  });

  it.each(['', 'with blank', 'x'.repeat(256)])('%j is none', async (key) => {
    expect((await desk.submit(REQUEST, { origin: ORIGIN, 'idempotency-key': key })).status).toBe(400);
  });
});
