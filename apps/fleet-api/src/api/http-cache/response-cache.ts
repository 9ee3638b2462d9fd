import type { IncomingMessage } from 'node:http';
import type { Access } from '@gpu-observatory/domain-types';
import {
  serveCachedResponses,
  isCacheableRequest,
  ResponseCache,
  type Runtime,
} from '@gpu-observatory/service-runtime';
import type { BearerGuard } from '@gpu-observatory/token-verification';
import type { FastifyInstance } from 'fastify';
import { branchesOf } from '../access/access-scope.ts';
import { hourOf } from '../paging/page-token.ts';
import type { RepeatableAnswer } from './conditional-request.ts';
import type { SharedPositions } from '../data-version/coalesced-data-versions.ts';

export interface MemoryOfAnswers {
  guard: Pick<BearerGuard, 'cachedCaller'>;
  positions: SharedPositions;
  maxBytes: number;
}

/**
 * Gives an answer again, or its 304, to callers with the same access who ask the same, as long as nothing was imported
 * for any customer of theirs. That is asked of the database for each request, together with all that come at once, so
 * nobody gets an answer that was over when they asked; the token is checked like any other.
 */
export function rememberAnswers(
  server: FastifyInstance,
  runtime: Runtime,
  { guard, positions, maxBytes }: MemoryOfAnswers,
): void {
  server.decorateReply('repeatable', null);
  if (maxBytes === 0) return;
  const answers = new ResponseCache<RepeatableAnswer>(maxBytes);

  server.addHook('onSend', (request, reply, payload, done) => {
    const { repeatable: more } = reply;
    if (more !== null && request.caller && isCacheableRequest(request.raw)) {
      const body = reply.statusCode === 304 ? null : bytesOf(payload as string | Buffer);
      answers.set(keyOf(request.raw, request.caller.access), reply, {
        etag: more.etag,
        body,
        validity: more,
      });
    }
    done(null, payload);
  });

  serveCachedResponses(server, runtime, (request) => {
    const caller = guard.cachedCaller(request);
    const answer = caller && answers.get(keyOf(request, caller.access));
    if (!answer || hourOf(answer.validity.askedAtMs) !== hourOf(Date.now())) return undefined;
    return positions.read(customerIdsOf(caller.access)).then((now) => {
      const before = answer.validity.positions;
      const isSame =
        now.length === before.length &&
        now.every(([customerId, seq], n) => before[n]?.[0] === customerId && before[n][1] === seq);
      return isSame ? answer : undefined;
    });
  });
}

const bytesOf = (payload: string | Buffer) => (typeof payload === 'string' ? Buffer.from(payload) : payload);

/** Everything that an answer depends on beside data and clock. */
function keyOf({ url, headers }: IncomingMessage, access: Access): string {
  return `${url}\n${headers.origin}\n${textOf(access)}`;
}

function customerIdsOf(access: Access): number[] {
  return branchesOf(access).map(({ customerId }) => customerId);
}

/** Callers are remembered, so that one access is asked for again and again. */
const texts = new WeakMap<Access, string>();

function textOf(access: Access): string {
  let text = texts.get(access);
  if (text === undefined) {
    text = JSON.stringify(branchesOf(access));
    texts.set(access, text);
  }
  return text;
}
