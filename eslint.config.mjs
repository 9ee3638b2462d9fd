import { readdirSync } from 'node:fs';
import eslint from '@eslint/js';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/**
 * Who may import whom. Everything of ours that is not named for a part is an error there: a library never learns
 * of a service, services meet only over HTTP, and what starts a developer's machine never reaches an image.
 */
const allowedImports = {
  // The ground floor: plain types that anything may use, so it uses nothing.
  'libs/domain-types': [],
  // Knows how a failure looks, not who fails.
  'libs/error-envelopes': [],
  // Tokens and their claims; a database or a server of its own would make it a service.
  'libs/token-verification': ['domain-types', 'error-envelopes'],
  // How a service runs, whatever it serves.
  'libs/service-runtime': ['error-envelopes'],
  // Services meet over HTTP alone, so that each can be released by itself.
  'apps/*': ['domain-types', 'error-envelopes', 'service-runtime', 'token-verification'],
  // Tests may start what a developer's machine starts: the embedded database and the local identity provider.
  'apps/*/test': [
    'domain-types',
    'error-envelopes',
    'service-runtime',
    'token-verification',
    'embedded-database',
    'identity-provider',
    'contracts',
  ],
  // Only their tests need a database.
  'libs/*/test': [
    'domain-types',
    'error-envelopes',
    'service-runtime',
    'token-verification',
    'embedded-database',
    'contracts',
  ],
  // Tools drive the services from outside, as processes and over HTTP.
  'tools/*': ['domain-types', 'embedded-database', 'fleet-simulator', 'identity-provider', 'local-stack'],
  // What every service does on each request is measured by itself.
  'tools/benchmarks': ['domain-types', 'embedded-database', 'identity-provider', 'token-verification'],
  // The whole service at once is where contracts and the client are held to it.
  'tools/local-stack/test': [
    'domain-types',
    'embedded-database',
    'fleet-simulator',
    'identity-provider',
    'contracts',
    'client',
  ],
  // Published by itself, so it stands alone.
  'clients/*': [],
};

const GROUPS = ['apps', 'libs', 'tools', 'clients'];
const projects = GROUPS.flatMap((group) => readdirSync(new URL(group, import.meta.url)));

const boundaries = Object.entries(allowedImports).map(([part, allowed]) => ({
  name: `boundaries of ${part}`,
  files: [`${part}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^@gpu-observatory/(?!(${allowed.join('|') || '$.'})$)`,
            message: `${part} may import of ours only: ${allowed.join(', ') || 'nothing'} (see eslint.config.mjs).`,
          },
          {
            regex: `(^|/)\\.\\./(.*/)?(${[...GROUPS, ...projects].join('|')})/`,
            message: 'Import another project by its package name, never by a path into it.',
          },
        ],
      },
    ],
  },
}));

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '**/coverage/', '.local/', '.nx/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // A promise nobody waits for is an error nobody sees.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
    },
  },
  // Tools and operations commands talk to a person at a terminal.
  {
    files: ['tools/**/*.ts', 'apps/*/src/cli.ts', 'apps/*/src/**/*.command.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    languageOptions: { globals: { ...globals.node } },
  },
  ...boundaries,
);
