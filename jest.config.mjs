// One run over every project; `npx jest apps/fleet-api` narrows it to one.
export default {
  projects: ['<rootDir>/apps/*', '<rootDir>/libs/*', '<rootDir>/tools/*', '<rootDir>/clients/*', '<rootDir>/docker'],
  reporters: ['default', '<rootDir>/tools/bootstrap/closing-line-reporter.mjs'],
  maxWorkers: 2,
  // A limit of a run, not of a project: Jest takes it from here when it runs them all.
  testTimeout: 60_000,
};
