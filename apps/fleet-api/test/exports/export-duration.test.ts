import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ListRequest } from '../../src/api/exports/list-request.ts';
import { RunningExports } from '../../src/api/exports/running-exports.ts';
import { ALERT_DATA } from '../../src/api/data-version/data-version.ts';
import type { Exchange } from '../../src/api/http-cache/conditional-request.ts';
import { ResponseCache } from '../../src/api/http-cache/response-cache.ts';

const DATA = { kinds: ALERT_DATA, seqs: [], asOfMs: null, changedAtMs: null };

/** Starts an export without end. */
async function startExport(maxDurationMs: number): Promise<{ body: Readable; raw: EventEmitter }> {
  const raw = Object.assign(new EventEmitter(), { closed: false });
  const reply = {
    raw,
    header: () => reply,
    type: () => reply,
    status: () => reply,
    getHeader: () => undefined,
  };
  const exchange = {
    request: {
      method: 'GET',
      url: '/api/v1/alerts',
      headers: { accept: 'application/x-ndjson' },
      caller: { access: [{ customer_id: 1, workspace_ids: 'all' }] },
    },
    reply,
    strength: 'strong',
  } as unknown as Exchange;
  const cache = new ResponseCache({ read: () => Promise.resolve([]) }, 0);
  const running = new RunningExports();
  const request = new ListRequest(exchange, cache, { running, isCurrent: () => true, maxDurationMs });
  const pages = (async function* () {
    for (;;) {
      yield [{ id: 1 }];
      await sleep(5);
    }
  })();
  const body = await request.sendExport(
    {},
    { columns: ['id'], readPages: () => Promise.resolve({ data: DATA, pages }) },
  );
  return { body: body as Readable, raw };
}

test('an export that takes too long is cut off', async () => {
  const { body } = await startExport(50);
  await expect(text(body)).rejects.toThrow(/the export took longer than/);
});

test('an export ends with its response', async () => {
  const { body, raw } = await startExport(60_000);
  raw.emit('close');
  await expect(text(body)).rejects.toThrow();
  expect(body.destroyed).toBe(true);
});
