import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * Returns the Jest configuration of a project: ECMAScript modules, TypeScript compiled by SWC, one PostgreSQL server for the
 * run. Workspace packages are resolved to their sources, so tests never use an outdated build.
 *
 * @param {string} configUrl `import.meta.url` of the project's jest.config.mjs
 */
export function projectConfig(configUrl) {
  const rootDir = fileURLToPath(new URL('.', configUrl));
  return {
    displayName: basename(rootDir),
    rootDir,
    testEnvironment: 'node',
    testTimeout: 300_000,
    extensionsToTreatAsEsm: ['.ts'],
    testMatch: ['<rootDir>/{src,test,migrations}/**/*.test.ts'],
    modulePathIgnorePatterns: ['<rootDir>/dist/'],
    transform: { '^.+\\.ts$': ['@swc/jest', { swcrc: false, ...swcOptions() }] },
    moduleNameMapper: {
      '^@gpu-observatory/(domain-types|error-envelopes|service-runtime|token-verification|visual-identity)$': `${root}libs/$1/src/index.ts`,
      '^@gpu-observatory/(contracts|embedded-database|fleet-simulator|identity-provider|local-stack)$': `${root}tools/$1/src/index.ts`,
      '^@gpu-observatory/client$': `${root}clients/typescript/src/index.ts`,
    },
    globalSetup: `${root}tools/embedded-database/test-server/start.mjs`,
    globalTeardown: `${root}tools/embedded-database/test-server/stop.mjs`,
  };
}

function swcOptions() {
  return {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true, dynamicImport: true },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        useDefineForClassFields: false,
        verbatimModuleSyntax: true,
      },
      keepClassNames: true,
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  };
}
