import { projectConfig } from '../../jest.project.mjs';

const config = projectConfig(import.meta.url);
const [[compiler, options]] = Object.values(config.transform);
const ofComponents = structuredClone(options);
ofComponents.jsc.parser.tsx = true;
ofComponents.jsc.transform.react = { runtime: 'automatic' };

/** Tests of components are `*.test.tsx` and start with `@jest-environment @happy-dom/jest-environment`. */
export default {
  ...config,
  testMatch: [...config.testMatch, '<rootDir>/test/**/*.test.tsx'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { ...config.transform, '^.+\\.tsx$': [compiler, ofComponents] },
  moduleNameMapper: { ...config.moduleNameMapper, '\\.css$': '<rootDir>/test/no-styles.ts' },
};
