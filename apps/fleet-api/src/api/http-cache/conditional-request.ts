import { hash } from 'node:crypto';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { matchesEtag } from '@gpu-observatory/service-runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { branchesOf } from '../access/access-scope.ts';
import type { DataVersion } from '../data-version/data-version.ts';

/** Change it with the form of an answer, so that nobody goes on with one of the old form. */
const FORM = 1;

/** The poll of this request, as a controller's parameter. */
export const CurrentPoll = createParamDecorator((_data: unknown, context: ExecutionContext): Poll => {
  const http = context.switchToHttp();
  return new Poll(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
});

declare module 'fastify' {
  interface FastifyReply {
    /** Set where whoever asks the same is given the same, as long as the data are the same and the hour lasts. */
    repeatable: RepeatableAnswer | null;
  }
}

export interface RepeatableAnswer {
  etag: string;
  positions: DataVersion['positions'];
  /** When the request came, in milliseconds since the epoch. */
  askedAtMs: number;
}

/** What an answer depends on beside its request, the caller's access and the data; and how far its name can be trusted. */
export interface AnswerName {
  more?: unknown;
  /** Weak where its bytes may be of newer data than the name says, never of older. */
  strength?: 'strong' | 'weak';
  /** False where it is not worth remembering, or may change before the hour is over although the data do not. */
  lasting?: boolean;
}

/**
 * One request by a client that may have the answer already (decisions, section 2, Freshness). The entity tag is strong:
 * it is made of everything that the answer's bytes depend on.
 */
export class Poll {
  private readonly askedAtMs = Date.now();

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {}

  /** Whether the client names an answer that may still be the one. `*` names none: whether there is any is yet to be seen. */
  get hasAnswer(): boolean {
    const ifNoneMatch = this.request.headers['if-none-match'];
    return ifNoneMatch !== undefined && ifNoneMatch !== '*';
  }

  /** Says of which data the answer is, and names it; it is a 304, whose body goes nowhere, where the client has it after all. */
  tag(data: DataVersion, access: Access, name: AnswerName = {}): void {
    this.name(data, this.entityTag(data, access, name), name);
  }

  /** Whether the client has the very answer that these data make: then it is a 304 and needs no body. */
  isAnswered(data: DataVersion, access: Access, name: AnswerName = {}): boolean {
    const etag = this.entityTag(data, access, name);
    if (!matchesEtag(this.request.headers, etag)) return false;
    this.name(data, etag, name);
    return true;
  }

  private dateData({ asOfMs }: DataVersion): void {
    // Whoever keeps it asks again each time; no shared cache may, although a request with a cookie has no
    // Authorization header that would tell it so.
    void this.reply.header('cache-control', 'private, no-cache');
    if (asOfMs !== null) void this.reply.header('x-data-as-of', new Date(asOfMs).toISOString());
  }

  private name(data: DataVersion, etag: string, { strength = 'strong', lasting = true }: AnswerName): void {
    this.dateData(data);
    void this.reply.header('etag', etag);
    if (matchesEtag(this.request.headers, etag)) void this.reply.status(304);
    if (strength === 'weak' || !lasting) return;
    this.reply.repeatable = { etag, positions: data.positions, askedAtMs: this.askedAtMs };
  }

  private entityTag(
    data: DataVersion,
    access: Access,
    { more = null, strength = 'strong' }: AnswerName,
  ): string {
    const content = JSON.stringify([FORM, this.request.url, branchesOf(access), data.positions, more]);
    const weak = strength === 'weak' ? 'W/' : '';
    return `${weak}"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
  }
}
