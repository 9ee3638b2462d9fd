import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { limitDuration } from '../../src/api/exports/export-duration.ts';

/** Starts an export without end. */
function startExport(maxDurationMs: number, { closed = false } = {}): { body: Readable; raw: EventEmitter } {
  const raw = Object.assign(new EventEmitter(), { closed });
  const texts = (async function* () {
    for (;;) {
      yield '{"id":1}\n';
      await sleep(5);
    }
  })();
  const body = Readable.from(texts, { objectMode: false });
  limitDuration(body, raw as unknown as ServerResponse, maxDurationMs);
  return { body, raw };
}

test('an export that takes too long is cut off', async () => {
  const { body } = startExport(50);
  await expect(text(body)).rejects.toThrow(/the export took longer than/);
});

test('an export ends with its response', async () => {
  const { body, raw } = startExport(60_000);
  raw.emit('close');
  await expect(text(body)).rejects.toThrow();
  expect(body.destroyed).toBe(true);
});

test('an export whose client has disconnected before it starts ends at once', () => {
  expect(startExport(60_000, { closed: true }).body.destroyed).toBe(true);
});
