import { type HttpResponse, jsonBody, summaryOf } from '../../deployment/http-exchange.ts';
import { expectSame, expectThat } from '../rule.ts';
import type { Target } from '../target.ts';

export const API = '/api/v1';
export const NO_SUCH_ID = 2_147_483_647;

/** @throws {Violation} unless it is that error with `{title, detail}` as the only fields */
export function expectFailure(response: HttpResponse, status: number, title: string, why: string): void {
  const body = jsonBody(response) as { title?: string; detail?: string } | undefined;
  expectThat(
    response.status === status && body?.title === title,
    `${why}: expected ${status} ${title}, got ${summaryOf(response)} ${response.text.slice(0, 120)}`,
  );
  expectSame(Object.keys(body ?? {}).sort(), ['detail', 'title'], `fields of ${summaryOf(response)}`);
  expectThat(typeof body?.detail === 'string' && body.detail !== '', `${summaryOf(response)} has no detail`);
}

/** @throws {Violation} unless the response has that status */
export function expectStatus<Body>(response: HttpResponse, status: number): Body {
  expectThat(
    response.status === status,
    `expected ${status}, got ${summaryOf(response)}: ${response.text.slice(0, 200)}`,
  );
  return jsonBody(response) as Body;
}

/** Posts a JSON body. Sends no token unless the headers contain one. */
export function post(
  target: Target,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<HttpResponse> {
  return target.send('POST', `${API}${path}`, {
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
