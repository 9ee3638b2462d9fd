import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const eslint = new ESLint({
  cwd: root,
  overrideConfig: { linterOptions: { reportUnusedDisableDirectives: 'off' } },
});

async function lintErrors(file: string, source: string, rule = 'no-restricted-imports'): Promise<string[]> {
  const [result] = await eslint.lintText(source, { filePath: join(root, file) });
  return (result?.messages ?? []).filter((m) => m.ruleId === rule).map((m) => m.message);
}

/** Tests the import rules of eslint.config.mjs with sources for existing files. */
describe('boundaries between projects', () => {
  it.each([
    ['libs/domain-types/src/index.ts', '@gpu-observatory/error-envelopes'],
    ['libs/error-envelopes/src/index.ts', '@gpu-observatory/service-runtime'],
    ['libs/service-runtime/src/index.ts', '@gpu-observatory/fleet-api'],
    ['libs/token-verification/src/index.ts', '@gpu-observatory/service-runtime'],
    ['apps/fleet-api/src/main.ts', '@gpu-observatory/account-service'],
    ['apps/fleet-api/src/main.ts', '@gpu-observatory/embedded-database'],
    ['apps/account-service/src/main.ts', '@gpu-observatory/identity-provider'],
    ['apps/website-api/src/main.ts', '../../fleet-api/src/main.ts'],
    ['apps/website-api/src/main.ts', '../../../apps/fleet-api/src/main.ts'],
    ['tools/local-stack/src/main.ts', '@gpu-observatory/service-runtime'],
    ['tools/local-stack/src/main.ts', '@gpu-observatory/contracts'],
    ['apps/fleet-api/src/main.ts', '@gpu-observatory/contracts'],
    ['clients/typescript/src/index.ts', '@gpu-observatory/domain-types'],
    ['apps/fleet-api/src/api/app.module.ts', '../importer/import.command.ts'],
    ['apps/fleet-api/src/api/app.module.ts', '@gpu-observatory/account-service'],
    ['apps/fleet-api/src/importer/import.command.ts', '../api/app.module.ts'],
    ['apps/fleet-api/src/model/health/xid-catalog.ts', '../../importer/import.command.ts'],
  ])('%s may not import %s', async (file, imported) => {
    expect(await lintErrors(file, `import '${imported}';\n`)).toHaveLength(1);
  });

  it.each([
    ['apps/fleet-api/src/main.ts', '@gpu-observatory/service-runtime'],
    ['libs/token-verification/src/index.ts', '@gpu-observatory/domain-types'],
    ['tools/local-stack/src/main.ts', '@gpu-observatory/identity-provider'],
    ['apps/fleet-api/src/main.ts', './fleet-api.ts'],
    ['apps/fleet-api/src/api/app.module.ts', '../model/health/xid-catalog.ts'],
    ['apps/fleet-api/test/contract.test.ts', '@gpu-observatory/contracts'],
    ['tools/local-stack/test/end-to-end.test.ts', '@gpu-observatory/client'],
  ])('%s may import %s', async (file, imported) => {
    expect(await lintErrors(file, `import '${imported}';\n`)).toEqual([]);
  });
});

describe('import cycles', () => {
  const file = 'libs/service-runtime/src/database/statement.ts';

  it.each([
    "import './database.ts';",
    "import type { Database } from './database.ts';",
    "export * from './database.ts';",
  ])('are errors: %s', async (source) => {
    expect(await lintErrors(file, source, 'observatory/no-import-cycles')).toEqual([
      `Import cycle: ${file} → libs/service-runtime/src/database/database.ts → ${file}.`,
    ]);
  });

  it('are not reported for other imports', async () => {
    const source = "import './column-types.ts';";
    expect(await lintErrors(file, source, 'observatory/no-import-cycles')).toEqual([]);
  });
});
