import { readdirSync } from 'node:fs';
import { defineConfig } from 'oxlint';

/**
 * Packages of this repository that each part may import. Every other one is an error: libraries do not depend on services,
 * services communicate over HTTP only, and development tools never become part of an image.
 */
const allowedImports = {
  // Plain types, usable anywhere.
  'libs/domain-types': [],
  // Stylesheets and page frames; independent of what the pages show.
  'libs/visual-identity': [],
  // Pages from an OpenAPI document; independent of the server.
  'libs/api-reference': ['visual-identity'],
  // Independent of what a service serves.
  'libs/service-runtime': ['api-reference', 'visual-identity'],
  // Uses the error catalog of the runtime; independent of the service that verifies tokens.
  'libs/token-verification': ['domain-types', 'service-runtime'],
  // Services do not import each other, so that each can be released separately.
  'apps/*': ['domain-types', 'service-runtime', 'token-verification', 'visual-identity'],
  // Tests also use the database of the tests, the local identity provider and the contract rules.
  'apps/*/test': [
    'domain-types',
    'service-runtime',
    'token-verification',
    'visual-identity',
    'embedded-database',
    'testing',
    'identity-provider',
    'contracts',
  ],
  // A browser application. It uses the public API of the services, through the client.
  'apps/console': ['client'],
  // Tests compare the names of values with those of the contract.
  'apps/console/test': ['client', 'domain-types'],
  'libs/*/test': [
    'domain-types',
    'service-runtime',
    'token-verification',
    'visual-identity',
    'embedded-database',
    'testing',
    'contracts',
  ],
  // Tools start services as processes and call them over HTTP.
  'tools/*': [
    'domain-types',
    'embedded-database',
    'fleet-simulator',
    'identity-provider',
    'local-stack',
    'testing',
  ],
  // The client has the types of the documents.
  'tools/contracts': ['client'],
  // Its pages look like the others.
  'tools/identity-provider': ['visual-identity', 'domain-types'],
  // The local stack serves the built console like its image does.
  'tools/local-stack': [
    'domain-types',
    'embedded-database',
    'testing',
    'fleet-simulator',
    'identity-provider',
    'console',
  ],
  // Tests of the services together start them as processes.
  tests: [
    'client',
    'contracts',
    'domain-types',
    'embedded-database',
    'testing',
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

/**
 * Files of each feature that other folders of the service may import, in addition to its modules and entities: its exported
 * providers, and the functions that run in a transaction of the caller. Everything else is internal.
 */
const exportedFiles: Record<string, Record<string, string[]>> = {
  'apps/account-service/src': {
    'api-keys': ['clients.service'],
    audit: ['audit', 'anonymous-rejections'],
    'authorization-codes': ['authorization-codes.service', 'code-challenge'],
    'clean-up': [],
    internal: ['service-credential.guard'],
    oauth: ['oauth-error.filter'],
    revocations: ['end-sessions', 'local-revocation-feed', 'revoke', 'revoke-key-tokens'],
    sessions: [],
    'sign-in': ['browser-cookie', 'sign-in-methods'],
    'signing-keys': ['signing-keys.service'],
    tenants: ['change-tenants', 'customer-lock', 'email-address'],
    tokens: ['access-tokens', 'lifetimes', 'token-verifiers'],
    users: ['change-user'],
    workspaces: [],
  },
  'apps/fleet-api/src/api': {
    alerts: ['counts/counted-alerts.sql', 'counts/stored-counts', 'filters/alert-selection', 'value-fields'],
    gpus: ['gpu-id', 'latest-readings', 'telemetry-window'],
    metrics: [],
  },
};

const GROUPS = ['apps', 'libs', 'tools', 'clients'];
const folders = GROUPS.flatMap((group) => readdirSync(new URL(group, import.meta.url)));
const packages = [...folders, 'client'];

type Pattern = { message: string } & ({ regex: string } | { group: string[] });

function importRule(
  part: string,
  allowed: readonly string[],
  patterns: Pattern[] = [],
): ['error', { patterns: Pattern[] }] {
  return [
    'error',
    {
      patterns: [
        {
          regex: `^@gpu-observatory/(${packages.filter((name) => !allowed.includes(name)).join('|')})(/|$)`,
          message: `${part} may import only these packages of the repository: ${allowed.join(', ') || 'none'} (see oxlint.config.ts).`,
        },
        {
          regex: `(^|/)\\.\\./(.*/)?(${[...GROUPS, ...folders].join('|')})/`,
          message: 'Import another project by its package name, not by a relative path.',
        },
        ...patterns,
      ],
    },
  ];
}

const packageBoundaries = Object.entries(allowedImports).map(([part, allowed]) => ({
  files: [`${part}/**/*.{ts,tsx}`],
  rules: { 'no-restricted-imports': importRule(part, allowed) },
}));

const fleetApiBoundaries = Object.entries(forbiddenFolders).map(([folder, forbidden]) => ({
  files: [`apps/fleet-api/src/${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': importRule(`apps/fleet-api/src/${folder}`, allowedImports['apps/*'], [
      {
        regex: `^(\\.\\./)+(${forbidden.join('|')})/`,
        message: `${folder}/ must not import ${forbidden.join(', ')} (see oxlint.config.ts).`,
      },
      ...(folder === 'api' ? internalFiles('apps/fleet-api/src/api', ['**/model/**']) : []),
    ]),
  },
}));

/** Patterns of imports of internal files. `except` is what else may be imported. */
function internalFiles(source: string, except: string[] = []): Pattern[] {
  return Object.entries(exportedFiles[source] ?? {}).map(([feature, files]) => ({
    group: [
      `**/${feature}/**`,
      ...['*.module', '*.entity', ...files].map((file) => `!**/${feature}/${file}.ts`),
      ...except.map((path) => `!${path}`),
    ],
    message: `Of ${feature}/, other folders may import only modules, entities and: ${files.join(', ') || 'nothing else'} (see oxlint.config.ts).`,
  }));
}

const accountBoundaries = [
  { folder: 'apps/account-service/src', exceptions: [] },
  { folder: 'apps/account-service/src/operations', exceptions: ['**/*.command.ts'] },
].map(({ folder, exceptions }) => ({
  files: [`${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': importRule(
      folder,
      allowedImports['apps/*'],
      internalFiles('apps/account-service/src', exceptions),
    ),
  },
}));

export default defineConfig({
  ignorePatterns: ['**/dist/', '**/coverage/', '.local/', '.nx/'],
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error' },
  plugins: ['typescript', 'import'],
  categories: { correctness: 'error' },
  rules: {
    'no-case-declarations': 'error',
    'no-console': 'error',
    'no-empty': 'error',
    'no-fallthrough': 'error',
    'no-prototype-builtins': 'error',
    'no-redeclare': 'error',
    'no-regex-spaces': 'error',
    'no-undef': 'error',
    'no-unexpected-multiline': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'no-useless-assignment': 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'preserve-caught-error': 'error',
    // Type-only imports count: files that need each other's types cannot be read separately.
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'typescript/ban-ts-comment': 'error',
    'typescript/no-array-constructor': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    'typescript/no-namespace': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-function-type': 'error',
    // A promise that is returned without `await` continues after `using` has disposed what it reads.
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    // These report mostly what is right here.
    'typescript/no-base-to-string': 'off',
    'typescript/no-meaningless-void-operator': 'off',
    'typescript/no-misused-spread': 'off',
    'typescript/no-useless-default-assignment': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/restrict-template-expressions': 'off',
    'typescript/unbound-method': 'off',
  },
  overrides: [
    // The compiler reports these.
    { files: ['**/*.{ts,tsx}'], rules: { 'no-redeclare': 'off', 'no-undef': 'off' } },
    // Tools and operations commands print to the terminal.
    {
      files: [
        '**/*.{mjs,js}',
        'tools/**/*.ts',
        'tests/*/main.ts',
        'apps/*/src/cli.ts',
        'apps/*/src/**/*.command.ts',
      ],
      rules: { 'no-console': 'off' },
    },
    { files: ['**/*.{mjs,js}'], env: { node: true } },
    {
      // Scripts of pages.
      files: ['apps/website-api/src/assets/files/*.js', 'libs/api-reference/src/files/*.js'],
      env: { node: false, browser: true },
    },
    // A function with more parameters often has several responsibilities.
    { files: ['apps/fleet-api/src/**/*.ts'], rules: { 'max-params': ['error', { max: 4 }] } },
    ...packageBoundaries,
    ...fleetApiBoundaries,
    ...accountBoundaries,
  ],
});
