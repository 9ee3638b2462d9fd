// `npm run torture`: runs the long forms of the tests that inject faults, for at most 30 minutes, and prints a table. A case
// may also use the time that earlier ones left. With an argument it uses that seed: `npm run torture -- 4711`.
import { randomInt } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './child-process.mjs';
import { nodeRuntime } from './node-runtime.mjs';
import { root } from './root.mjs';
import { formatTable, resultOf } from './torture-table.mjs';
import { timeLimitMs, tortureCases } from './torture-cases.mjs';

if (process.argv.includes('--help') || process.argv.includes('-h')) {
  console.log('Usage: npm run torture [-- SEED]');
  process.exit();
}
const seed = Number(process.argv[2] ?? randomInt(1_000_000));
if (!Number.isInteger(seed) || seed < 0) {
  console.error(`The seed must be an integer from 0, got "${process.argv[2]}".`);
  process.exit(1);
}
console.log(`Seed ${seed}. Repeat with: npm run torture -- ${seed}`);
const results = [];
let unusedMs = 0;
for (const torture of tortureCases(seed)) {
  const timeout = timeLimitMs(torture, unusedMs);
  const startedAt = performance.now();
  console.log(`\n${torture.title}: ${JSON.stringify(torture.settings)}`);
  results.push(await runCase(torture, timeout));
  const elapsedMs = performance.now() - startedAt;
  console.log(
    `${torture.title}: ${Math.ceil(elapsedMs / 1_000)} s of at most ${Math.round(timeout / 1_000)} s`,
  );
  unusedMs = timeout - elapsedMs;
}
console.log(`\n${formatTable(results)}\n\nSeed ${seed}`);
process.exitCode = results.every(({ violations }) => violations === 0) ? 0 : 1;

/**
 * @param {import('./torture-cases.mjs').TortureCase} torture
 * @param {number} timeout in ms
 */
async function runCase({ title, tests, settings }, timeout) {
  const folder = mkdtempSync(join(tmpdir(), 'torture-'));
  const { node, env } = nodeRuntime();
  const jest = join(root, 'tools', 'bootstrap', 'jest.mjs');
  const variables = Object.entries(settings).map(([name, value]) => [name, String(value)]);
  try {
    const exitCode = await run(node, [jest, ...tests], {
      cwd: root,
      env: {
        ...env,
        ...Object.fromEntries(variables),
        TEST_COUNTS_FILE: join(folder, 'counts.json'),
        TORTURE_REPORT: join(folder, 'report.ndjson'),
      },
      stdio: 'inherit',
      timeout,
    });
    return resultOf(title, exitCode, read(folder, 'counts.json'), read(folder, 'report.ndjson'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns an empty text for a file that the tests did not write. */
function read(folder, name) {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return '';
  }
}
