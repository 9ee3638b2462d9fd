import { writeFileSync } from 'node:fs';
import { closingLine } from './closing-line.mjs';

/**
 * A Jest reporter that says how the run went, to test.mjs by the file it names, else on standard output.
 * A test file that could not run at all counts as a failed test.
 */
export default class ClosingLineReporter {
  onRunComplete(_contexts, results) {
    const counts = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    const file = process.env.TEST_COUNTS_FILE;
    if (file) writeFileSync(file, JSON.stringify(counts));
    else console.log(closingLine(counts));
  }
}
