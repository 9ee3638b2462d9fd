import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../root.mjs';
import { timeLimitMs, tortureCases } from '../torture-cases.mjs';
import { formatTable, resultOf } from '../torture-table.mjs';

test('every case has existing tests; their time limits add up to at most 30 minutes', () => {
  const cases = tortureCases(1);
  for (const path of cases.flatMap(({ tests }) => tests)) {
    const folder = join(root, path);
    const files = existsSync(folder) ? readdirSync(folder) : readdirSync(dirname(folder));
    expect([path, files.some((file) => existsSync(folder) || file === `${basename(path)}.test.ts`)]).toEqual([
      path,
      true,
    ]);
  }
  expect(cases.reduce((sum, { minutes }) => sum + minutes, 0)).toBeLessThanOrEqual(30);
});

test('a case may use the time that earlier ones left, and has less after one that took longer', () => {
  const [torture] = tortureCases(1).map((one) => ({ ...one, minutes: 2 }));
  expect([0, 30_000.7, -30_000, -200_000].map((unusedMs) => timeLimitMs(torture as never, unusedMs))).toEqual(
    [120_000, 150_000, 90_000, 1],
  );
});

test.each([
  ['passes', 0, '{"passed":3,"failed":0}', '{"operations":500,"faults":20}', [502, 20, 0, '']],
  ['fails', 1, '{"passed":1,"failed":2}', '', [3, 0, 2, '']],
  ['crashes', 1, '', '', [0, 0, 1, '']],
  ['exceeds its time', 143, '', '{"operations":7,"faults":1}\n', [7, 1, 0, 'time limit']],
])('reports a case that %s', (_title, exitCode, counts, report, [operations, faults, violations, note]) => {
  expect(resultOf('case', exitCode, counts, report)).toEqual({
    title: 'case',
    operations,
    faults,
    violations,
    note,
  });
});

test('formats a table', () => {
  expect(
    formatTable([
      { title: 'database killed', operations: 20_000, faults: 30, violations: 0, note: '' },
      { title: 'restarts', operations: 7, faults: 1, violations: 2, note: 'time limit' },
    ]),
  ).toBe(
    [
      'case             operations  faults  violations',
      'database killed      20,000      30           0',
      'restarts                  7       1           2  time limit',
    ].join('\n'),
  );
});
