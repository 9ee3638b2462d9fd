import type { IncomingMessage } from 'node:http';
import {
  serveCachedResponses,
  isCacheableRequest,
  ResponseCache,
  type Runtime,
} from '@gpu-observatory/service-runtime';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyReply {
    /** The tag of an answer that is the same for everybody who asks like this, as long as the content is. */
    repeatableTag: string | null;
  }
}

/** More than all pages in their forms and codings; a flood of odd queries must not fill the memory. */
const MAX_ANSWERS_BYTES = 64 * 1024 * 1024;

/**
 * Gives answers again as long as the content is the one that they were made from.
 *
 * @param version what the content is at this moment; undefined when it has to be looked at first
 */
export function rememberAnswers(
  server: FastifyInstance,
  runtime: Runtime,
  version: () => object | undefined,
): void {
  const answers = new ResponseCache<object>(MAX_ANSWERS_BYTES);

  server.decorateReply('repeatableTag', null);
  server.addHook('onSend', (request, reply, payload, done) => {
    const { repeatableTag: etag } = reply;
    const now = version();
    if (etag !== null && now !== undefined && isCacheableRequest(request.raw) && Buffer.isBuffer(payload)) {
      answers.set(keyOf(request.raw), reply, { etag, body: payload, validity: now });
    }
    done(null, payload);
  });

  serveCachedResponses(server, runtime, (request) => {
    const answer = answers.get(keyOf(request));
    return answer?.validity === version() ? answer : undefined;
  });
}

/** Everything that an answer depends on. No header has a line break in it. */
const keyOf = ({ url, headers }: IncomingMessage): string =>
  `${url}\n${headers.accept}\n${headers['accept-encoding']}\n${headers.origin !== undefined}`;
