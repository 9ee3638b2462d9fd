import { ConnectionError, retryAfterSeconds } from './errors.ts';
import type { Fetch } from './sessions.ts';

export interface RetryOptions {
  /** Requests per call, the first one included. Default 3. */
  maxAttempts?: number;
  /** Longest wait between two attempts, in ms. A longer `Retry-After` ends the call instead. Default 10,000. */
  maxDelayMs?: number;
}

export interface AttemptOptions {
  retry: RetryOptions | false;
  /** Time limit of one attempt, response body included, in ms. */
  timeoutMs: number;
}

const FIRST_DELAY_MS = 250;

/** Single-use credentials: after a 5xx or a broken connection the first request may have succeeded. */
const NEVER_REPEATED = /\/auth\/token\/?$|\/keys\/?$|\/keys\/[^/]+\/rotate\/?$/;

/**
 * Sends a request and reads the whole response, within a time limit, and repeats it where that is safe:
 *
 * - 429: always, since the service has done nothing;
 * - 502, 503, no response, broken response: GET, HEAD, PUT, and POST with an `Idempotency-Key`.
 *
 * @throws {ConnectionError} when the last attempt got no complete response
 */
export async function sendWithRetries(
  send: Fetch,
  request: Request,
  { retry, timeoutMs }: AttemptOptions,
): Promise<Response> {
  const { maxAttempts = 3, maxDelayMs = 10_000 } = retry === false ? { maxAttempts: 1 } : retry;
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= maxAttempts;
    const outcome = await sendOnce(send, isLast ? request : request.clone(), timeoutMs);
    const delayMs = isLast ? undefined : retryDelayMs(request, outcome, attempt, maxDelayMs);
    if (delayMs === undefined) {
      if (outcome instanceof ConnectionError) throw outcome;
      return outcome;
    }
    await sleep(delayMs, request.signal);
  }
}

/** @returns the delay before the next attempt in ms; undefined when there must be none */
function retryDelayMs(
  request: Request,
  outcome: Response | ConnectionError,
  attempt: number,
  maxDelayMs: number,
): number | undefined {
  const isRejected = outcome instanceof Response && outcome.status === 429;
  const isUnavailable = outcome instanceof ConnectionError || [502, 503].includes(outcome.status);
  if (!isRejected && !(isUnavailable && isRepeatable(request))) return undefined;
  // Random delays keep many clients from returning at the same moment.
  const jitterMs = Math.random() * Math.min(maxDelayMs, FIRST_DELAY_MS * 2 ** (attempt - 1));
  const requestedMs = outcome instanceof Response ? (retryAfterSeconds(outcome.headers) ?? 0) * 1_000 : 0;
  return requestedMs > maxDelayMs ? undefined : requestedMs + jitterMs;
}

function isRepeatable({ method, headers, url }: Request): boolean {
  if (['GET', 'HEAD', 'PUT'].includes(method)) return true;
  return method === 'POST' && headers.has('idempotency-key') && !NEVER_REPEATED.test(new URL(url).pathname);
}

/** @returns the response with its body in memory, so that a body cut short counts as a failed attempt */
async function sendOnce(
  send: Fetch,
  request: Request,
  timeoutMs: number,
): Promise<Response | ConnectionError> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const limited = new Request(request, { signal: AbortSignal.any([request.signal, timeout]) });
  try {
    const response = await send(limited);
    const { status, statusText, headers } = response;
    const body = await response.arrayBuffer();
    return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    const where = `${request.method} ${request.url}`;
    if (timeout.aborted) {
      return new ConnectionError('timeout', `${where}: no response within ${timeoutMs} ms.`, cause);
    }
    // fetch reports every network failure as a TypeError, perhaps of another realm.
    const { name, message } = cause as Error;
    if (name === 'TypeError') {
      return new ConnectionError('unreachable', `${where}: no complete response (${message}).`, cause);
    }
    throw cause;
  }
}

/** @throws the signal's reason when the caller aborts while waiting */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
