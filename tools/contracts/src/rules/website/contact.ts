import { randomUUID } from 'node:crypto';
import { jsonBody } from '../../deployment/http-exchange.ts';
import { expectSame, expectThat, Skipped } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import { expectProblem } from './requests.ts';

const VALID = {
  firstName: 'Contract',
  email: 'contract@elsewhere.invalid',
  message: 'Contract check.',
};

export const contact: Rule[] = [
  rule('contact-requires-key-or-origin', 'docs/website-api.md#contact', async (target) => {
    expectProblem(await target.post('/api/contact', VALID), 401, 'neither key nor origin');
    expectProblem(
      await target.post('/api/contact', VALID, { origin: 'https://elsewhere.invalid' }),
      403,
      'an origin that is not allowed',
    );
    return 'neither 401, another origin 403';
  }),
  rule('contact-rejects-unknown-key', 'docs/website-api.md#contact', async (target) => {
    for (const key of [randomUUID(), 'nonsense']) {
      const response = await target.post('/api/contact', VALID, { 'x-api-key': key });
      if (response.status === 503) throw new Skipped('website-api cannot reach account-service');
      expectProblem(response, 401, 'an unknown key');
    }
    return '401';
  }),
  rule('contact-rejects-invalid-bodies', 'docs/website-api.md#contact', async (target) => {
    const origin = target.origin();
    for (const [why, body] of [
      ['no firstName', { ...VALID, firstName: undefined }],
      ['a firstName of 101 characters', { ...VALID, firstName: 'x'.repeat(101) }],
      ['an invalid email address', { ...VALID, email: 'contract' }],
      ['an empty message', { ...VALID, message: '' }],
      ['a message of 5001 characters', { ...VALID, message: 'x'.repeat(5001) }],
      ['a company of 201 characters', { ...VALID, company: 'x'.repeat(201) }],
      ['an unknown field', { ...VALID, phone: '1' }],
      ['malformed JSON', '{"firstName":'],
    ] as const)
      expectProblem(await target.post('/api/contact', body, { origin }), 400, why);
    return '8 kinds: 400';
  }),
  rule('contact-is-idempotent', 'docs/website-api.md#contact', async (target) => {
    const origin = target.origin();
    target.requireWrite();
    const key = { origin, 'idempotency-key': randomUUID() };
    const [first, again] = [
      await target.post('/api/contact', VALID, key),
      await target.post('/api/contact', VALID, key),
    ];
    for (const { status, text } of [first, again]) expectThat(status === 202, `${status} ${text}`);
    expectSame(jsonBody(again), jsonBody(first), 'the receipt for the same Idempotency-Key');
    const other = await target.post('/api/contact', VALID, { origin, 'idempotency-key': randomUUID() });
    expectThat(
      (jsonBody(other) as { id: string }).id !== (jsonBody(first) as { id: string }).id,
      'another Idempotency-Key gives the same receipt',
    );
    expectProblem(
      await target.post('/api/contact', { ...VALID, message: 'Another.' }, key),
      409,
      'the Idempotency-Key of another request',
    );
    return '202, the same receipt for the same Idempotency-Key, else 409';
  }),
];
