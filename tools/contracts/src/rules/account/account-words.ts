import { type Answer, jsonOf, nameOf } from '../../deployment/answer.ts';
import { expectSame, expectThat } from '../rule.ts';
import type { Subject } from '../subject.ts';

export const API = '/api/v1';
export const NO_SUCH_ID = 2_147_483_647;

/** @throws {Breach} unless it is that failure in the service's shape, `{title, detail}` and nothing else (7.2) */
export function expectFailure(answer: Answer, status: number, title: string, why: string): void {
  const body = jsonOf(answer) as { title?: string; detail?: string } | undefined;
  expectThat(
    answer.status === status && body?.title === title,
    `${why}: ${nameOf(answer)} ${answer.text.slice(0, 120)}, where ${status} ${title} is due`,
  );
  expectSame(Object.keys(body ?? {}).sort(), ['detail', 'title'], `fields of ${nameOf(answer)}`);
  expectThat(typeof body?.detail === 'string' && body.detail !== '', `${nameOf(answer)} has no detail`);
}

/** @throws {Breach} unless it has that status */
export function expectStatus<Body>(answer: Answer, status: number): Body {
  expectThat(
    answer.status === status,
    `${nameOf(answer)}: ${answer.text.slice(0, 200)}, where ${status} is due`,
  );
  return jsonOf(answer) as Body;
}

/** A JSON body by POST; without a token unless the headers have one. */
export function post(
  subject: Subject,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return subject.send('POST', `${API}${path}`, {
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
