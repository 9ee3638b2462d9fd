import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const eslint = new ESLint({
  cwd: root,
  overrideConfig: { linterOptions: { reportUnusedDisableDirectives: 'off' } },
});
const file = 'libs/service-runtime/src/database/statement.ts';

/** Returns what eslint.import-cycles.mjs reports for this source in an existing file. */
async function cyclesOf(source: string): Promise<string[]> {
  const [result] = await eslint.lintText(source, { filePath: join(root, file) });
  return (result?.messages ?? [])
    .filter(({ ruleId }) => ruleId === 'observatory/no-import-cycles')
    .map(({ message }) => message);
}

it.each([
  "import './database.ts';",
  "import type { Database } from './database.ts';",
  "export * from './database.ts';",
])('reports an import cycle: %s', async (source) => {
  expect(await cyclesOf(source)).toEqual([
    `Import cycle: ${file} → libs/service-runtime/src/database/database.ts → ${file}.`,
  ]);
});

it('reports no other import', async () => {
  expect(await cyclesOf("import './column-types.ts';")).toEqual([]);
});
