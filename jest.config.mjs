// One run over every project; `npx jest apps/fleet-api` narrows it to one.
export default {
  projects: [
    '<rootDir>/apps/*',
    '<rootDir>/libs/*',
    '<rootDir>/tools/*',
    '<rootDir>/clients/*',
    '<rootDir>/docker',
  ],
  reporters: ['default', '<rootDir>/tools/bootstrap/closing-line-reporter.mjs'],
  maxWorkers: 2,
  // A limit of a run, not of a project: Jest takes it from here when it runs them all. It ends what hangs, however slow the
  // machine is; a test that promises a time measures it itself.
  testTimeout: 300_000,
};
