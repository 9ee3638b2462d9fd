const INTERRUPTED = 128 + 15;

/**
 * Combines the test counts of a case with the operations and faults that its tests reported. A test that reports nothing
 * counts as one operation.
 *
 * @param {string} title
 * @param {number} exitCode of Jest
 * @param {string} counts JSON of the test counts; empty when Jest did not finish
 * @param {string} report a JSON line per reporting test
 */
export function resultOf(title, exitCode, counts, report) {
  const { passed, failed } = JSON.parse(counts || '{"passed":0,"failed":0}');
  const lines = report
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const sum = (key) => lines.reduce((total, line) => total + line[key], 0);
  const operations = sum('operations') + Math.max(0, passed + failed - lines.length);
  if (exitCode === INTERRUPTED)
    return { title, operations, faults: sum('faults'), violations: failed, note: 'time limit' };
  // A crash of Jest is a violation too.
  const violations = failed + (exitCode !== 0 && failed === 0 ? 1 : 0);
  return { title, operations, faults: sum('faults'), violations, note: '' };
}

/** @param {{ title: string, operations: number, faults: number, violations: number, note: string }[]} results */
export function formatTable(results) {
  const rows = [
    ['case', 'operations', 'faults', 'violations', ''],
    ...results.map(({ title, operations, faults, violations, note }) => [
      title,
      ...[operations, faults, violations].map((number) => number.toLocaleString('en')),
      note,
    ]),
  ];
  const widths = rows[0].map((_head, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column > 0 && column < 4 ? cell.padStart(widths[column]) : cell.padEnd(widths[column]),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
