import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
const { workspaces } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

const shared = {
  rootDir: root,
  roots: workspaces.map((pattern) => root + pattern.replace('/*', '')),
  modulePathIgnorePatterns: ['/dist/'],
  // `npm run nightly` sets the seed.
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.NIGHTLY_SEED ? [] : ['\\.nightly\\.test\\.'])],
};

/** Node loads the modules, see tools/testing/jest/test-runner.mjs. */
const tests = {
  ...shared,
  testMatch: ['**/*.test.ts'],
  // For the report of files that no test loads.
  transform: process.env.COVERAGE ? { '\\.ts$': compile({ tsx: false }) } : {},
  testEnvironment: `${root}tools/testing/jest/environment.mjs`,
  testRunner: `${root}tools/testing/jest/test-runner.mjs`,
  globalSetup: `${root}tools/testing/test-server/start.mjs`,
  globalTeardown: `${root}tools/testing/test-server/stop.mjs`,
};

/** Tests of components of the console. Jest loads their modules, because each file needs a document of its own. */
const componentTests = {
  ...shared,
  testMatch: ['**/*.test.tsx'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.ts$': compile({ tsx: false }), '\\.tsx$': compile({ tsx: true }) },
  moduleNameMapper: {
    '^@gpu-observatory/client$': `${root}clients/typescript/src/index.ts`,
    '\\.css$': `${root}apps/console/test/no-styles.ts`,
  },
};

function compile(parser) {
  return [
    '@swc/jest',
    {
      swcrc: false,
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', decorators: true, ...parser },
        transform: { react: { runtime: 'automatic' }, legacyDecorator: true, verbatimModuleSyntax: true },
      },
      module: { type: 'es6' },
      sourceMaps: 'inline',
    },
  ];
}

/** One queue of the tests of all projects. tools/bootstrap/jest.mjs starts Jest. */
export default {
  projects: [tests, componentTests],
  testSequencer: `${root}tools/testing/jest/sequencer.mjs`,
  reporters: ['default', `${root}tools/testing/jest/reporter.mjs`],
  // A test often waits: for a database, a timer, another process.
  maxWorkers: availableParallelism() + 2,
  // A worker above this limit is replaced before garbage collection takes seconds.
  workerIdleMemoryLimit: '1GB',
  // In ms. It only stops a test that hangs; tests with a time limit measure the time themselves.
  testTimeout: 300_000,
  // In ms. On a busy machine, a worker that exits by itself takes longer than the default of half a second.
  workerGracefulExitTimeout: 10_000,
  watchman: false,
  coverageDirectory: `${root}coverage`,
  coverageReporters: ['html', 'json-summary'],
  collectCoverageFrom: ['**/src/**/*.{ts,tsx}'],
};
