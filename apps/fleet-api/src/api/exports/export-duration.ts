import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { MINUTE_MS } from '@gpu-observatory/domain-types';

/** Maximum duration of an export to a client that reads slowly. It is the lifetime of the token of an API key. */
const MAX_DURATION_MS = 15 * MINUTE_MS;

/** Ends the stream of an export after the maximum duration, and when the connection is closed. */
export function limitDuration(
  body: Readable,
  response: ServerResponse,
  maxDurationMs = MAX_DURATION_MS,
): void {
  const timer = setTimeout(
    () => body.destroy(new Error(`the export took longer than ${maxDurationMs / MINUTE_MS} min`)),
    maxDurationMs,
  );
  const stop = () => {
    clearTimeout(timer);
    body.destroy();
  };
  if (response.closed) stop();
  else response.once('close', stop);
}
