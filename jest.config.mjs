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
  // Modules of files that are done stay in memory until a process ends: one that grows gives its place to a new one, before
  // it spends seconds at a time on collecting its garbage.
  workerIdleMemoryLimit: '1GB',
  // A limit of a run, not of a project: Jest takes it from here when it runs them all. It ends what hangs, however slow the
  // machine is; a test that promises a time measures it itself.
  testTimeout: 300_000,
};
