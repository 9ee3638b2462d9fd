import { writeFileSync } from 'node:fs';
import { summaryLine } from './summary-line.mjs';

/**
 * A Jest reporter that writes the test counts to TEST_COUNTS_FILE for test.mjs, or prints the summary line if that is not
 * set. A test file that could not run counts as a failed test.
 */
export default class SummaryReporter {
  onRunComplete(_contexts, results) {
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
