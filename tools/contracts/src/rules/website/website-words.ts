import { type Answer, jsonOf, mediaTypeOf, nameOf } from '../../deployment/answer.ts';
import { expectSame, expectThat, NotSeen } from '../rule.ts';
import type { Subject } from '../subject.ts';

export interface Post {
  slug: string;
  title: string;
  published_at: string;
  category: string | null;
  tags: string[];
  featured: boolean;
  body?: string;
}

export interface PostList {
  posts: Post[];
  total: number;
  limit: number;
  offset: number;
}

/** @throws {Breach} unless it is a 200 with JSON */
export async function readOk<Body>(subject: Subject, path: string): Promise<Body> {
  const answer = await subject.get(path);
  expectThat(answer.status === 200, `${nameOf(answer)}: ${answer.text.slice(0, 200)}`);
  return jsonOf(answer) as Body;
}

/** @throws {NotSeen} where nothing is published */
export async function somePosts(subject: Subject): Promise<Post[]> {
  const { posts } = await readOk<PostList>(subject, '/api/posts?limit=100');
  if (posts.length === 0) throw new NotSeen('no post is published');
  return posts;
}

/** @throws {Breach} unless it is that problem (RFC 9457; decisions, section 4, Errors) */
export function expectProblem(answer: Answer, status: number, why: string): void {
  expectThat(
    answer.status === status,
    `${why}: ${nameOf(answer)} ${answer.text.slice(0, 120)}, where ${status} is due`,
  );
  expectThat(
    mediaTypeOf(answer) === 'application/problem+json',
    `${nameOf(answer)} is ${mediaTypeOf(answer)}, not application/problem+json`,
  );
  const problem = jsonOf(answer) as Record<string, unknown> | undefined;
  expectSame(
    Object.keys(problem ?? {}).sort(),
    ['detail', 'status', 'title', 'type'],
    `fields of ${nameOf(answer)}`,
  );
  expectSame(problem?.status, status, `status in the body of ${nameOf(answer)}`);
}

/** @throws {Breach} unless a cache keeps its variants apart (contract 4.6) */
export function expectVary(answer: Answer): void {
  const names = (answer.headers.vary ?? '').toLowerCase().split(/\s*,\s*/);
  expectThat(
    names.includes('accept') && names.includes('accept-encoding'),
    `${nameOf(answer)} has Vary: ${answer.headers.vary}, where Accept, Accept-Encoding is due`,
  );
}
