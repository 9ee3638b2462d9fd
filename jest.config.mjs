// Runs the tests of all projects. `npm test -- apps/fleet-api` runs those of one project.
export default {
  projects: [
    '<rootDir>/apps/*',
    '<rootDir>/libs/*',
    '<rootDir>/tools/*',
    '<rootDir>/clients/*',
    '<rootDir>/docker',
  ],
  reporters: ['default', '<rootDir>/tools/bootstrap/summary-reporter.mjs'],
  maxWorkers: 2,
  // Jest keeps the modules of finished test files in memory. A worker above this limit is replaced before garbage collection
  // takes seconds.
  workerIdleMemoryLimit: '1GB',
  // In ms. Jest reads it here, not from the projects, when it runs all of them. It only stops a test that hangs; tests with a
  // time limit measure the time themselves.
  testTimeout: 300_000,
};
