import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Runtime } from '../start-service.ts';
import { hasAlready } from './has-already.ts';
import { requestIdOf } from './request-id.ts';

/** An answer as it went out, but for what is each request's own. */
export interface RememberedAnswer {
  /** As logs and metrics name it. */
  route: string;
  etag: string;
  /** Names and values in turn, as Node takes them at once. */
  headers: string[];
  headersOf304: string[];
  /** Null where only its 304 went out: then it is an answer to those who have it, and to nobody else. */
  bytes: Buffer | null;
}

/** What an answer takes beside its bytes: its headers and its key. */
const ANSWER_OVERHEAD_BYTES = 4 * 1024;
/** Of the memory, so much at most is one answer's: a single one must not drive out all others. */
const LARGEST_SHARE = 1 / 4;
const MAX_KEY_LENGTH = 4 * 1024;
/** Each request's own, or said by Node itself. */
const NOT_REMEMBERED = new Set(['x-request-id', 'date', 'connection', 'keep-alive', 'content-length']);
const ABOUT_THE_BODY = new Set(['content-type', 'content-encoding']);

/** Answers by what was asked; those that nobody asked for the longest time go first. `More` is what tells whether one still holds. */
export class RememberedAnswers<More = unknown> {
  private readonly answers: LRUCache<string, RememberedAnswer & { more: More }>;

  constructor(maxBytes: number) {
    this.answers = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.floor(maxBytes * LARGEST_SHARE),
      sizeCalculation: ({ bytes }) => (bytes?.length ?? 0) + ANSWER_OVERHEAD_BYTES,
    });
  }

  get(key: string): (RememberedAnswer & { more: More }) | undefined {
    return this.answers.get(key);
  }

  /** Keeps what is about to go out, as its headers now are. */
  keep(key: string, reply: FastifyReply, answer: { etag: string; bytes: Buffer | null; more: More }): void {
    if (key.length > MAX_KEY_LENGTH) return;
    const { etag, bytes } = answer;
    const headers = Object.entries(reply.getHeaders())
      .filter(([name]) => !NOT_REMEMBERED.has(name))
      .map(([name, value]) => [name, String(value)] as const);
    this.answers.set(key, {
      route: reply.request.routeOptions.url ?? 'unknown',
      etag,
      headers: bytes === null ? [] : [...headers.flat(), 'content-length', String(bytes.length)],
      headersOf304: headers.filter(([name]) => !ABOUT_THE_BODY.has(name)).flat(),
      bytes,
      more: answer.more,
    });
  }

  clear(): void {
    this.answers.clear();
  }
}

type Found = RememberedAnswer | undefined;

/**
 * Gives answers again that were given before, whole and with the same headers. They go straight to the connection, so one
 * costs little more than Node's own part of it. Whatever is not found, is no plain GET or comes while the service ends
 * takes the usual way; so does a request whose search fails, and it ends there with that failure.
 *
 * @param find the answer that still holds; it answers for whoever asks being allowed to have it
 */
export function answerFromMemory(
  server: FastifyInstance,
  { logger, metrics, readiness }: Pick<Runtime, 'logger' | 'metrics' | 'readiness'>,
  find: (request: IncomingMessage) => Found | Promise<Found>,
): void {
  const failures = new WeakMap<IncomingMessage, Error>();
  server.addHook('onRequest', (request, _reply, done) => done(failures.get(request.raw)));

  standBefore(server, (request, response, goOn) => {
    if (!isPlainGet(request) || readiness.isDraining) return goOn();
    const begun = performance.now();
    const answer = (found: Found) => {
      const status = found && repeat(found, request, response);
      if (!found || status === undefined) return goOn();
      const milliseconds = performance.now() - begun;
      const { route } = found;
      metrics.observeRequest('GET', route, status, milliseconds / 1000);
      // A line would take as long as the answer; metrics count each, and whoever looks for one finds it at this level.
      if (!logger.isLevelEnabled('debug')) return;
      logger.debug(
        {
          request_id: response.getHeader('x-request-id'),
          method: 'GET',
          route,
          status,
          milliseconds: Math.round(milliseconds * 10) / 10,
        },
        'request',
      );
    };
    const found = find(request);
    if (!(found instanceof Promise)) return answer(found);
    found.then(answer, (failure: Error) => {
      failures.set(request, failure);
      goOn();
    });
  });
}

/** Fastify's own listener is the server's first; others only watch. */
function standBefore(
  { server }: FastifyInstance,
  answer: (request: IncomingMessage, response: ServerResponse, goOn: () => void) => void,
): void {
  const [usual, ...watching] = server.listeners('request') as RequestListener[];
  if (!usual) throw new Error('The server has nobody who answers its requests.');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    answer(request, response, () => void usual.call(server, request, response));
  });
  for (const listener of watching) server.on('request', listener);
}

/** Whether an answer can be told by the address and a few headers: nothing comes along that it would have to be read for. */
export function isPlainGet({ method, headers, httpVersionMinor }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    httpVersionMinor === 1 &&
    headers.host !== undefined &&
    headers['content-length'] === undefined &&
    headers['transfer-encoding'] === undefined &&
    headers['traceparent'] === undefined
  );
}

/** @returns the status that was answered; undefined when nothing was, as only the 304 is known and the reader needs more */
function repeat(
  { etag, headers, headersOf304, bytes }: RememberedAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): 200 | 304 | undefined {
  const status = hasAlready(request.headers, etag) ? 304 : 200;
  if (status === 200 && bytes === null) return undefined;
  const id = requestIdOf(request);
  if (status === 304) response.writeHead(304, [...headersOf304, 'x-request-id', id]).end();
  else response.writeHead(200, [...headers, 'x-request-id', id]).end(bytes);
  return status;
}
