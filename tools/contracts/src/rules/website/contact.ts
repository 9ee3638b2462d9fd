import { randomUUID } from 'node:crypto';
import { type Answer, jsonOf } from '../../deployment/answer.ts';
import { expectSame, expectThat, NotSeen, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { expectProblem } from './website-words.ts';

const VALID = {
  firstName: 'Contract',
  email: 'contract@elsewhere.invalid',
  message: 'A check of the contract.',
};

function send(subject: Subject, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return subject.send('POST', '/api/contact', {
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function allowedOrigin({ options }: Subject): string {
  if (options.origin === undefined) throw new NotSeen('needs --origin');
  return options.origin;
}

export const contact: Rule<Subject>[] = [
  {
    name: 'contact-needs-a-key-or-an-origin',
    source: 'contract 5, 7.3; decisions 4, Contact',
    async hold(subject) {
      expectProblem(await send(subject, VALID), 401, 'neither key nor origin');
      expectProblem(
        await send(subject, VALID, { origin: 'https://elsewhere.invalid' }),
        403,
        'an origin that is not allowed',
      );
      return 'neither 401, another origin 403';
    },
  },
  {
    name: 'contact-refuses-an-unknown-key',
    source: 'contract 7.3',
    async hold(subject) {
      for (const key of [randomUUID(), 'nonsense']) {
        const answer = await send(subject, VALID, { 'x-api-key': key });
        if (answer.status === 503) throw new NotSeen('account-service is out of its reach');
        expectProblem(answer, 401, 'an unknown key');
      }
      return '401';
    },
  },
  {
    name: 'contact-refuses-bad-bodies',
    source: 'decisions 4, Contact',
    async hold(subject) {
      const origin = allowedOrigin(subject);
      for (const [why, body] of [
        ['no firstName', { ...VALID, firstName: undefined }],
        ['a firstName of 101', { ...VALID, firstName: 'x'.repeat(101) }],
        ['no e-mail address', { ...VALID, email: 'nobody' }],
        ['an empty message', { ...VALID, message: '' }],
        ['a message of 5001', { ...VALID, message: 'x'.repeat(5001) }],
        ['a company of 201', { ...VALID, company: 'x'.repeat(201) }],
        ['an unknown field', { ...VALID, phone: '1' }],
        ['no JSON', '{"firstName":'],
      ] as const)
        expectProblem(await send(subject, body, { origin }), 400, why);
      return '8 kinds: 400, nothing kept';
    },
  },
  {
    name: 'contact-is-accepted-once',
    source: 'contract 4.6; decisions 4, Contact',
    async hold(subject) {
      const origin = allowedOrigin(subject);
      subject.mayWrite();
      const key = { origin, 'idempotency-key': randomUUID() };
      const [first, again] = [await send(subject, VALID, key), await send(subject, VALID, key)];
      for (const answer of [first, again]) {
        expectThat(answer.status === 202, `${answer.status} ${answer.text}`);
        expectSame(Object.keys(jsonOf(answer) as object).sort(), ['id', 'message'], 'fields of the receipt');
      }
      expectSame(jsonOf(again), jsonOf(first), 'the receipt for the same Idempotency-Key');
      expectProblem(
        await send(subject, { ...VALID, message: 'Another.' }, key),
        409,
        'the key of another request',
      );
      return '202, the same receipt for the same Idempotency-Key, else 409';
    },
  },
];
