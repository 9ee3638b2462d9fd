import { readdirSync } from 'node:fs';
import eslint from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { noImportCycles } from './eslint.import-cycles.mjs';

/**
 * Packages of this repository that each part may import. Every other one is an error: libraries do not depend on services,
 * services communicate over HTTP only, and development tools never become part of an image.
 */
const allowedImports = {
  // Plain types, usable anywhere.
  'libs/domain-types': [],
  // Error formats; independent of the services that use them.
  'libs/error-envelopes': [],
  // Has neither a database nor a server, so that any service can use it.
  'libs/token-verification': ['domain-types', 'error-envelopes'],
  // Stylesheets and page frames; independent of what the pages show.
  'libs/visual-identity': [],
  // Independent of what a service serves.
  'libs/service-runtime': ['error-envelopes', 'visual-identity'],
  // Services do not import each other, so that each can be released separately.
  'apps/*': ['domain-types', 'error-envelopes', 'service-runtime', 'token-verification', 'visual-identity'],
  // Tests also use the embedded database, the local identity provider and the contract rules.
  'apps/*/test': [
    'domain-types',
    'error-envelopes',
    'service-runtime',
    'token-verification',
    'visual-identity',
    'embedded-database',
    'identity-provider',
    'contracts',
    'contracts/mutants',
  ],
  // A browser application. It uses the public API of the services, through the client.
  'apps/console': ['client'],
  // Tests compare the names of values with those of the contract.
  'apps/console/test': ['client', 'domain-types'],
  'libs/*/test': [
    'domain-types',
    'error-envelopes',
    'service-runtime',
    'token-verification',
    'visual-identity',
    'embedded-database',
    'contracts',
  ],
  // Tools start services as processes and call them over HTTP.
  'tools/*': ['domain-types', 'embedded-database', 'fleet-simulator', 'identity-provider', 'local-stack'],
  // Its pages look like the others.
  'tools/identity-provider': ['visual-identity', 'domain-types'],
  // Token verification runs on every request and has its own benchmark.
  'tools/benchmarks': ['domain-types', 'embedded-database', 'identity-provider', 'token-verification'],
  // The local stack serves the built console like its image does.
  'tools/local-stack': [
    'domain-types',
    'embedded-database',
    'fleet-simulator',
    'identity-provider',
    'console/server',
  ],
  // Tests of the services together start them as processes.
  tests: [
    'client',
    'contracts',
    'domain-types',
    'embedded-database',
    'fleet-simulator',
    'identity-provider',
    'local-stack',
  ],
  // Published to npm without the rest of the repository.
  'clients/*': [],
};

/** Folders of apps/fleet-api/src that each folder must not import. Reader and importer share only the model. */
const forbiddenFolders = {
  api: ['importer', 'operations'],
  importer: ['api', 'operations'],
  operations: ['api'],
  model: ['api', 'importer', 'operations'],
  config: ['api', 'importer', 'operations', 'model'],
};

const GROUPS = ['apps', 'libs', 'tools', 'clients'];
const projects = GROUPS.flatMap((group) => readdirSync(new URL(group, import.meta.url)));

function importRule(part, allowed, patterns = []) {
  return [
    'error',
    {
      patterns: [
        {
          regex: `^@gpu-observatory/(?!(${allowed.join('|') || '$.'})(/|$))`,
          message: `${part} may import only these packages of the repository: ${allowed.join(', ') || 'none'} (see eslint.config.mjs).`,
        },
        {
          regex: `(^|/)\\.\\./(.*/)?(${[...GROUPS, ...projects].join('|')})/`,
          message: 'Import another project by its package name, not by a relative path.',
        },
        ...patterns,
      ],
    },
  ];
}

const packageBoundaries = Object.entries(allowedImports).map(([part, allowed]) => ({
  name: `imports of ${part}`,
  files: [`${part}/**/*.{ts,tsx}`],
  rules: { 'no-restricted-imports': importRule(part, allowed) },
}));

const fleetApiBoundaries = Object.entries(forbiddenFolders).map(([folder, forbidden]) => ({
  name: `imports of apps/fleet-api/src/${folder}`,
  files: [`apps/fleet-api/src/${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': importRule(`apps/fleet-api/src/${folder}`, allowedImports['apps/*'], [
      {
        regex: `^(\\.\\./)+(${forbidden.join('|')})/`,
        message: `${folder}/ must not import ${forbidden.join(', ')} (see eslint.config.mjs).`,
      },
    ]),
  },
}));

/** `npm run lint` has one program for all projects but the console. For single files, a program per project is faster. */
const programs = process.env.LINT_ALL
  ? { project: ['./tsconfig.json', './apps/console/tsconfig.json'] }
  : { projectService: true };

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '**/coverage/', '.local/', '.nx/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx,mjs}'],
    plugins: { observatory: { rules: { 'no-import-cycles': noImportCycles } } },
    rules: { 'observatory/no-import-cycles': 'error' },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { ...programs, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // The error of a promise without a handler is lost.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      // A promise that is returned without `await` continues after `using` has disposed what it reads.
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
    },
  },
  // Tools and operations commands print to the terminal.
  {
    files: ['tools/**/*.ts', 'tests/*/main.ts', 'apps/*/src/cli.ts', 'apps/*/src/**/*.command.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: { globals: { ...globals.node } },
  },
  {
    name: 'scripts of pages',
    files: ['apps/website-api/src/assets/files/*.js', 'libs/service-runtime/src/api-reference/files/*.js'],
    languageOptions: { globals: globals.browser },
  },
  ...packageBoundaries,
  ...fleetApiBoundaries,
);
