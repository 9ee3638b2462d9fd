import { relative } from 'node:path';

/** Prints a table of the test files: name, number of tests, seconds and result. */
export default class NightlyReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    console.table(
      testResults.map(({ testFilePath, testResults: tests, numFailingTests, testExecError, perfStats }) => ({
        name: relative(this.rootDir, testFilePath).replace(/(\.nightly)?\.test\.tsx?$/, ''),
        count: tests.length,
        seconds: Math.round((perfStats.end - perfStats.start) / 1_000),
        result: testExecError || numFailingTests > 0 ? 'failed' : 'passed',
      })),
    );
  }
}
