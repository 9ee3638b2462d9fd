import { daysOf, hostDaysOf, repeatedCodes } from '../../src/xids/incident-days.ts';
import type { XidGroup, XidIncident } from '../../src/xids/queries.ts';

function incident(
  hostname: string,
  gpu: string,
  code: number,
  day: string,
  severity = 'critical',
): XidIncident {
  return { hostname, gpu_id: gpu, code, severity, name: '', first_at: `${day}T12:00:00.000Z` } as XidIncident;
}

it('has each UTC day of a window, the first and the last one included', () => {
  const toMs = Date.parse('2026-11-27T08:00:00Z');
  expect(daysOf(toMs - 2 * 86_400_000, toMs)).toEqual(['2026-11-25', '2026-11-26', '2026-11-27']);
});

it('finds the severe codes that several GPUs of one host had, those of most GPUs first', () => {
  const repeated = repeatedCodes([
    incident('a', '1', 79, '2026-11-21'),
    incident('a', '2', 79, '2026-11-24'),
    incident('a', '2', 79, '2026-11-25'),
    ...['1', '2', '3'].map((gpu) => incident('b', gpu, 48, '2026-11-22')),
    // Of an application, of one GPU, and of no known host.
    ...['1', '2', '3'].map((gpu) => incident('c', gpu, 31, '2026-11-22', 'low')),
    incident('d', '1', 79, '2026-11-22'),
    ...['1', '2'].map((gpu) => incident('', gpu, 79, '2026-11-22')),
  ]);
  expect(repeated.map(({ hostname, code, gpuCount }) => [hostname, code, gpuCount])).toEqual([
    ['b', 48, 3],
    ['a', 79, 2],
  ]);
  expect(repeated[1]).toMatchObject({
    firstAt: '2026-11-21T12:00:00.000Z',
    lastAt: '2026-11-25T12:00:00.000Z',
  });
});

it('joins the sums of hosts with their days, hosts with a repeated code first', () => {
  const hosts = [
    { hostname: 'busy', incidents: 9, gpus: 1 },
    { hostname: 'suspicious', incidents: 2, gpus: 2 },
  ] as XidGroup[];
  const rows = hostDaysOf(hosts, [
    incident('suspicious', '1', 79, '2026-11-21'),
    incident('suspicious', '2', 79, '2026-11-21'),
    incident('suspicious', '2', 31, '2026-11-21', 'low'),
    incident('busy', '1', 31, '2026-11-22', 'low'),
  ]);
  expect(rows.map(({ hostname }) => hostname)).toEqual(['suspicious', 'busy']);
  expect(rows[0]!.days.get('2026-11-21')).toEqual({
    count: 3,
    isSevere: true,
    codes: [
      [79, 2],
      [31, 1],
    ],
  });
  expect(rows[1]!.days.get('2026-11-22')).toMatchObject({ isSevere: false });
  expect(rows[1]!.incidents).toBe(9);
});
