import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { summaryLine } from '../../bootstrap/summary-line.mjs';

const SLOWEST = 10;

/**
 * Prints the seconds per project and of the slowest test files. Writes the test counts to TEST_COUNTS_FILE for `npm test`, or
 * prints them. A test file that could not run counts as a failed test.
 */
export default class Reporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, results) {
    const files = results.testResults.map(({ testFilePath, perfStats }) => ({
      name: relative(this.rootDir, testFilePath),
      seconds: (perfStats.end - perfStats.start) / 1_000,
    }));
    if (files.length > 1) {
      const projects = Map.groupBy(files, ({ name }) => /^((apps|libs|tools|clients)\/)?[^/]+/.exec(name)[0]);
      print(
        'Seconds per project',
        [...projects].map(([name, those]) => ({ name, seconds: sum(those.map(({ seconds }) => seconds)) })),
      );
      print('Seconds of the slowest test files', files, SLOWEST);
    }
    const counts = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    const file = process.env.TEST_COUNTS_FILE;
    if (file) writeFileSync(file, JSON.stringify(counts));
    else console.log(summaryLine(counts));
  }
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

function print(title, rows, limit = rows.length) {
  const sorted = rows.toSorted((a, b) => b.seconds - a.seconds).slice(0, limit);
  console.log(`\n${title}:`);
  for (const { name, seconds } of sorted) console.log(`${seconds.toFixed(1).padStart(8)}  ${name}`);
}
