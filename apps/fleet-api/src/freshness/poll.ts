import { createHash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import { branchesOf } from '../access/scope.ts';
import type { DataVersion } from './data-version.ts';

/** Change it with the form of an answer, so that nobody goes on with one of the old form. */
const FORM = 1;

/** The poll of this request, as a controller's parameter. */
export const CurrentPoll = createParamDecorator((_data: unknown, context: ExecutionContext): Poll => {
  const http = context.switchToHttp();
  return new Poll(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
});

type TagStrength = 'strong' | 'weak';

/**
 * One request by a client that may have the answer already (decisions, section 2, Freshness). The entity tag is strong:
 * it is made of everything that the answer's bytes depend on.
 */
export class Poll {
  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {}

  /** Whether the client has an answer that may still be the one. */
  get hasAnswer(): boolean {
    return this.request.headers['if-none-match'] !== undefined;
  }

  /** Says of which data the answer is, and names it: weakly where its bytes may be of newer data, never of older. */
  tag(data: DataVersion, access: Access, more: unknown = null, strength: TagStrength = 'strong'): void {
    this.name(data, this.entityTag(data, access, more, strength));
  }

  /** Whether the client has the very answer that these data make: then it is a 304 and needs no body. */
  isAnswered(
    data: DataVersion,
    access: Access,
    more: unknown = null,
    strength: TagStrength = 'strong',
  ): boolean {
    const etag = this.entityTag(data, access, more, strength);
    const asked = this.request.headers['if-none-match'];
    // Only this header: a script's fetch adds `Cache-Control: no-cache` to it, which is meant for caches on the way.
    if (asked === undefined || !fresh({ 'if-none-match': asked }, { etag })) return false;
    this.name(data, etag);
    void this.reply.status(304);
    return true;
  }

  /** Only says of which data the answer is: one that changes with the clock has no lasting name. */
  dateData({ asOfMs }: DataVersion): void {
    // Whoever keeps it asks again each time; no shared cache may, although a request with a cookie has no
    // Authorization header that would tell it so.
    void this.reply.header('cache-control', 'private, no-cache');
    if (asOfMs !== null) void this.reply.header('x-data-as-of', new Date(asOfMs).toISOString());
  }

  private name(data: DataVersion, etag: string): void {
    this.dateData(data);
    void this.reply.header('etag', etag);
  }

  private entityTag(data: DataVersion, access: Access, more: unknown, strength: TagStrength): string {
    const content = JSON.stringify([FORM, this.request.url, branchesOf(access), data.positions, more]);
    const weak = strength === 'weak' ? 'W/' : '';
    return `${weak}"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
  }
}
