import { type HttpResponse, jsonBody, summaryOf } from '../deployment/http-exchange.ts';
import { brief, expectThat } from './rule.ts';

/**
 * Returns the JSON body.
 *
 * @throws {Violation} for another status
 */
export function expectStatus<Body>(response: HttpResponse, status: number): Body {
  expectThat(
    response.status === status,
    `expected ${status}, got ${summaryOf(response)}: ${brief(response.text)}`,
  );
  return jsonBody(response) as Body;
}
