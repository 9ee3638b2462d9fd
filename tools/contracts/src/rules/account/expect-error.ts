import { type HttpResponse, jsonBody, summaryOf } from '../../deployment/http-exchange.ts';
import { expectSame, expectThat } from '../expectations.ts';

export const API = '/api/v1';
export const NO_SUCH_ID = 2_147_483_647;

/** @throws {Violation} unless it is that error with `{title, detail}` as the only fields */
export function expectError(response: HttpResponse, status: number, title: string, why: string): void {
  const body = jsonBody(response) as { title?: string; detail?: string } | undefined;
  expectThat(
    response.status === status && body?.title === title,
    `${why}: expected ${status} ${title}, got ${summaryOf(response)} ${response.text.slice(0, 120)}`,
  );
  expectSame(Object.keys(body ?? {}).sort(), ['detail', 'title'], `fields of ${summaryOf(response)}`);
  expectThat(typeof body?.detail === 'string' && body.detail !== '', `${summaryOf(response)} has no detail`);
}
