import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XidCatalog } from '../../src/model/health/xid-catalog.ts';
import { type NewXid, resolveIncidents } from '../../src/importer/write/resolve-incidents.ts';
import { gaugeEvent, type XidEvent, xidEventKey, xidEventOf } from '../../src/importer/write/xid-event.ts';

const GPU = 'GPU-1';
const CODE = 149;
const START = Date.parse('2026-11-21T08:00:00.000Z');
const GAUGE_REACH_MS = 30_000;
/** Messages of severity info, medium and high. The last one is another variant. */
const NONFATAL = 'NETIR_BER_EVENT Nonfatal XC0 i0 Link 03 (0x0 0x1)';
const WARNING = 'MSE Nonfatal XC0 i0 Link 03 (0x0 0x1)';
const FATAL = 'NETIR_LINK_EVT Fatal XC0 i0 Link 01 (0x0 0x1)';

const folder = mkdtempSync(join(tmpdir(), 'xids-'));
let xids: XidCatalog;
beforeAll(() => {
  const file = join(folder, 'xids.yaml');
  writeFileSync(
    file,
    `xids: { 43: { alert: null } }
variants: { ${CODE}: [{ unit: MSE, class: early warning }, { level: Nonfatal, class: ignore }, { class: reset }] }`,
  );
  xids = XidCatalog.read(file);
});
afterAll(() => rmSync(folder, { recursive: true }));

const timeOf = (second: number) => new Date(START + second * 1_000).toISOString();
const secondOf = (at: string) => (Date.parse(at) - START) / 1_000;
const source = { customer_id: 1, api_key_id: null, raise_alert: true };

const line = (second: number, message = NONFATAL, raise_alert = true, code = CODE): NewXid => {
  const of = { customer_id: 1, workspace_id: 10, api_key_id: null };
  const event = xidEventOf({ kind: 'xid_event', ...of, gpu_id: GPU, at: timeOf(second), code, message });
  return { event, source: { ...source, raise_alert } };
};
const gauge = (second: number): NewXid => ({
  event: gaugeEvent(GPU, timeOf(second), CODE, GAUGE_REACH_MS),
  source,
});
const silent = (second: number) => line(second, NONFATAL, false);
const withoutAlert = (second: number) => line(second, '', true, 43);

/** Adds batches of events of one GPU and code. Alerts are named A, B, … in the order in which they are raised. */
function importBatches(batches: NewXid[][]) {
  const stored = new Map<string, XidEvent>();
  const names = new Map<string, string>();
  const timelines: string[] = [];
  let count = 0;
  for (const batch of batches) {
    const { inserted, updated, counts, effects } = resolveIncidents(xids, [...stored.values()], batch);
    for (const row of [...inserted, ...updated]) stored.set(xidEventKey(row), row);
    for (const { change } of counts) count += change;
    for (const { event, alertId, effect } of effects) {
      const name = names.get(alertId) ?? String.fromCharCode(65 + names.size);
      names.set(alertId, name);
      timelines.push(`${secondOf(event.at)}: ${effect === null ? '' : `${effect} `}${name}`);
    }
  }
  const openings = [...stored.values()].filter(({ opens_incident }) => opens_incident);
  expect(count).toBe(openings.length);
  return { incidents: openings.map(({ at }) => secondOf(at)).sort((a, b) => a - b), timelines };
}

describe('resolves incidents and timelines of', () => {
  test.each<[string, NewXid[][], number[], string[]]>([
    ['a burst', [[line(0), line(5), line(9)]], [0], ['0: raise A', '5: A', '9: A']],
    ['a burst in reverse order', [[line(9)], [line(5)], [line(0)]], [0], ['9: raise A', '5: A', '0: A']],
    ['a pause of a minute', [[line(0), line(60)]], [0, 60], ['0: raise A', '60: raise B']],
    [
      'a line that connects two incidents leaves both alerts',
      [[line(0), line(100)], [line(50)], [line(101)]],
      [0],
      ['0: raise A', '100: raise B', '50: A', '101: A'],
    ],
    ['variants', [[line(0), line(1, FATAL), line(2)]], [0, 1], ['0: raise A', '2: A', '1: raise B']],
    [
      'more severe lines',
      [[line(0), line(1, WARNING)], [line(2)]],
      [0],
      ['0: raise A', '1: update A', '2: A'],
    ],
    ['a more severe line that is stored', [[line(1, WARNING)], [line(0)]], [0], ['1: raise A', '0: A']],
    ['lines that raise no alert', [[silent(0)], [line(1)], [silent(2)]], [0], ['1: raise A']],
    ['a code without alert', [[withoutAlert(0)], [withoutAlert(1)]], [0], []],

    [
      'gauges within a minute',
      [[gauge(0)], [gauge(50)], [gauge(100)]],
      [0],
      ['0: raise A', '50: A', '100: A'],
    ],
    ['gauges after a minute', [[gauge(0)], [gauge(60)]], [0, 60], ['0: raise A', '60: raise B']],
    ['a gauge after a line', [[line(0)], [gauge(30)]], [0], ['0: raise A', '30: A']],
    [
      'a gauge before a line',
      [[gauge(30)], [line(0)], [line(9)]],
      [0],
      ['30: raise A', '0: replace A', '9: A'],
    ],
    ['both in one batch', [[gauge(30), line(0)]], [0], ['0: raise A', '30: A']],
    ['a gauge out of reach', [[line(0), gauge(31)]], [0, 31], ['0: raise A', '31: raise B']],
    ['a gauge after a line that raises no alert', [[silent(0)], [gauge(9)]], [0], ['9: raise A']],
    [
      'a line that raises no alert takes that of a gauge',
      [[gauge(9)], [silent(0)], [line(1)]],
      [0],
      ['9: raise A', '1: A'],
    ],
    [
      'a gauge that moves to a nearer line leaves its alert to the first',
      [[gauge(20)], [line(0)], [line(19, FATAL)], [gauge(21)]],
      [0, 19],
      ['20: raise A', '0: replace A', '19: raise B', '21: B'],
    ],
  ])('%s', (_title, batches, incidents, timelines) => {
    expect(importBatches(batches)).toEqual({ incidents, timelines });
  });
});
