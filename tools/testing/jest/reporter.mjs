import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { summaryLine } from '../../bootstrap/summary-line.mjs';

/** Test files in the table; `npm run nightly` lists all. */
const SLOWEST = process.env.NIGHTLY_SEED ? Infinity : 10;

/**
 * Prints tables of the projects and of the slowest test files. Writes the test counts to TEST_COUNTS_FILE for `npm test`, or
 * prints them. A test file that could not run counts as a failed test.
 */
export default class Reporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, results) {
    const files = results.testResults.map(
      ({ testFilePath, testResults: tests, numFailingTests, testExecError, perfStats }) => ({
        name: relative(this.rootDir, testFilePath),
        count: tests.length,
        seconds: Math.round((perfStats.end - perfStats.start) / 100) / 10,
        result: testExecError || numFailingTests > 0 ? 'failed' : 'passed',
      }),
    );
    const byTime = (a, b) => b.seconds - a.seconds;
    if (files.length > 1) {
      const projects = Map.groupBy(files, ({ name }) => /^((apps|libs|tools|clients)\/)?[^/]+/.exec(name)[0]);
      console.log('\nSeconds per project');
      console.table(
        [...projects]
          .map(([name, those]) => ({ name, seconds: sum(those.map(({ seconds }) => seconds)) }))
          .sort(byTime),
      );
    }
    console.log('\nSlowest test files');
    console.table(files.sort(byTime).slice(0, SLOWEST));
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

const sum = (numbers) => Math.round(numbers.reduce((total, number) => total + number, 0));
