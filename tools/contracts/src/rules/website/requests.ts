import type { websiteTypes } from '@gpu-observatory/client';
import { type HttpResponse, jsonBody, summaryOf } from '../../deployment/http-exchange.ts';
import { Skipped, expectHeader, expectSame, expectStatus, expectThat, expectType } from '../expectations.ts';
import type { Target } from '../target.ts';

export type Schemas = websiteTypes.components['schemas'];
export type Post = Schemas['PostSummary'];
export type PostList = Schemas['PostList'];

/** @throws {Violation} unless the status is 200 */
export async function readOk<Body>(target: Target, path: string): Promise<Body> {
  return expectStatus<Body>(await target.get(path), 200);
}

/** @throws {Skipped} when fewer posts are published */
export async function somePosts(target: Target, minimum = 1): Promise<Post[]> {
  const { posts } = await readOk<PostList>(target, '/api/posts?limit=100');
  if (posts.length < minimum) throw new Skipped(`needs ${minimum} posts, ${posts.length} are published`);
  return posts;
}

/** @throws {Violation} unless the response is a problem with that status (RFC 9457) */
export function expectProblem(response: HttpResponse, status: number, why: string): void {
  expectThat(
    response.status === status,
    `${why}: expected ${status}, got ${summaryOf(response)} ${response.text.slice(0, 120)}`,
  );
  expectType(response, 'application/problem+json', status);
  const problem = jsonBody(response) as Record<string, unknown> | undefined;
  expectSame(
    Object.keys(problem ?? {}).sort(),
    ['detail', 'status', 'title', 'type'],
    `fields of ${summaryOf(response)}`,
  );
  expectSame(problem?.status, status, `status in the body of ${summaryOf(response)}`);
}

/** @throws {Violation} unless `Vary` makes caches store the variants separately */
export function expectVary(response: HttpResponse): void {
  expectHeader(response, 'vary', /(^|,)\s*accept\s*(,|$)/i);
  expectHeader(response, 'vary', /\baccept-encoding\b/i);
}
