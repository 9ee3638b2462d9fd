import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { requestIdOf, type Runtime } from '@gpu-observatory/service-runtime';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { hasAlready } from './deliver.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The tag of an answer that is the same for everybody who asks like this, as long as the content is. */
    repeatableTag: string | null;
  }
}

/** An answer as it went out, but for what is each request's own. */
interface RememberedAnswer {
  /** As logs and metrics name it. */
  route: string;
  etag: string;
  /** Names and values in turn, as Node takes them at once. */
  headers: string[];
  headersOf304: string[];
  bytes: Buffer;
}

/** More than all pages in their forms and codings; a flood of odd queries must not fill the memory. */
const MAX_ANSWERS_BYTES = 64 * 1024 * 1024;
/** What an answer takes beside its bytes: its headers and its key. */
const ANSWER_OVERHEAD_BYTES = 4 * 1024;
const MAX_KEY_LENGTH = 1_024;
/** Each request's own, or said by Node itself. */
const NOT_REMEMBERED = new Set(['x-request-id', 'date', 'connection', 'keep-alive', 'content-length']);
const ABOUT_THE_BODY = new Set(['content-type', 'content-encoding']);

/**
 * Gives answers again that were given before, whole and with the same headers, as long as the content is the one that
 * they were made from. They go straight to the connection: reading a page costs little more than Node's own part of
 * it. Whatever is new, is no plain GET or comes while the service ends takes the usual way.
 *
 * @param version what the content is at this moment; undefined when it has to be looked at first
 */
export function rememberAnswers(
  server: FastifyInstance,
  { logger, metrics, readiness }: Runtime,
  version: () => object | undefined,
): void {
  const answers = new Map<string, RememberedAnswer>();
  let answersBytes = 0;
  let versionOfAnswers: object | undefined;
  const forgetAll = (now: object) => {
    answers.clear();
    answersBytes = 0;
    versionOfAnswers = now;
  };

  server.decorateReply('repeatableTag', null);
  server.addHook('onSend', (request, reply, payload, done) => {
    const { repeatableTag: etag } = reply;
    const now = version();
    const key = keyOf(request.raw);
    if (now !== undefined && now !== versionOfAnswers) forgetAll(now);
    const isNew = now !== undefined && key.length <= MAX_KEY_LENGTH && !answers.has(key);
    if (etag !== null && isNew && isPlain(request.raw) && Buffer.isBuffer(payload)) {
      answersBytes += payload.length + ANSWER_OVERHEAD_BYTES;
      if (answersBytes > MAX_ANSWERS_BYTES) forgetAll(now);
      answers.set(key, rememberedAnswer(request.routeOptions.url ?? 'unknown', etag, reply, payload));
    }
    done(null, payload);
  });

  const answerFromMemory = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!isPlain(request) || readiness.isDraining || version() !== versionOfAnswers) return false;
    const answer = answers.get(keyOf(request));
    if (!answer) return false;
    const begun = performance.now();
    const id = requestIdOf(request);
    const status = repeat(answer, request, response, id);
    const milliseconds = performance.now() - begun;
    const { route } = answer;
    metrics.observeRequest('GET', route, status, milliseconds / 1000);
    // A line would take as long as the answer; metrics count each, and whoever looks for one finds it at this level.
    logger.debug(
      { request_id: id, method: 'GET', route, status, milliseconds: Math.round(milliseconds * 10) / 10 },
      'request',
    );
    return true;
  };
  standBefore(server, answerFromMemory);
}

/** Fastify's own listener is the server's first; others only watch. */
function standBefore(
  { server }: FastifyInstance,
  answers: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const [usual, ...watching] = server.listeners('request') as RequestListener[];
  if (!usual) throw new Error('The server has nobody who answers its requests.');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!answers(request, response)) usual.call(server, request, response);
  });
  for (const listener of watching) server.on('request', listener);
}

/** A request whose answer depends on nothing but what the key says. */
const isPlain = ({ method, headers, httpVersionMinor }: IncomingMessage): boolean =>
  method === 'GET' &&
  httpVersionMinor === 1 &&
  headers.host !== undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers['traceparent'] === undefined;

/** Everything that an answer depends on. No header has a line break in it. */
const keyOf = ({ url, headers }: IncomingMessage): string =>
  `${url}\n${headers.accept}\n${headers['accept-encoding']}\n${headers.origin !== undefined}`;

function rememberedAnswer(route: string, etag: string, reply: FastifyReply, bytes: Buffer): RememberedAnswer {
  const headers = Object.entries(reply.getHeaders())
    .filter(([name]) => !NOT_REMEMBERED.has(name))
    .map(([name, value]) => [name, String(value)] as const);
  return {
    route,
    etag,
    headers: [...headers.flat(), 'content-length', String(bytes.length)],
    headersOf304: headers.filter(([name]) => !ABOUT_THE_BODY.has(name)).flat(),
    bytes,
  };
}

/** @returns the status that was answered */
function repeat(
  { etag, headers, headersOf304, bytes }: RememberedAnswer,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
): number {
  if (hasAlready(request.headers, etag)) {
    response.writeHead(304, [...headersOf304, 'x-request-id', id]).end();
    return 304;
  }
  response.writeHead(200, [...headers, 'x-request-id', id]).end(bytes);
  return 200;
}
