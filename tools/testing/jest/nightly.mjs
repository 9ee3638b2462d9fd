// `npm run nightly [-- SEED [PATH…]]`: runs the tests that take too long for `npm test`, one file at a time: `*.nightly.test.ts`,
// and tests of random inputs, concurrency and kills in their long form. Prints a table.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { run } from '../../bootstrap/child-process.mjs';
import { root } from '../../bootstrap/root.mjs';

/** Tests with a long form for NIGHTLY_SEED. */
const longForms = [
  'apps/account-service/test/replicas',
  'apps/fleet-api/test/access/prepared-statements',
  'apps/fleet-api/test/alerts/filters',
  'apps/fleet-api/test/importer/follow',
  'apps/fleet-api/test/importer/import-command',
  'apps/fleet-api/test/metrics/oracle',
  'apps/fleet-api/test/paging/snapshot-pagination',
  'apps/fleet-api/test/safety/tenant-isolation',
  'apps/website-api/test/browser/pages',
  'apps/website-api/test/contact/outbox',
  'apps/website-api/test/no-server-errors',
  'tests/end-to-end/end-to-end',
];

const [seed = String(randomInt(1_000_000)), ...paths] = process.argv.slice(2);
if (!/^\d{1,9}$/.test(seed)) {
  console.error('Usage: npm run nightly [-- SEED [PATH…]]. SEED is an integer from 0 to 999999999.');
  process.exit(seed === '--help' ? 0 : 1);
}
console.log(`Seed ${seed}. Repeat with: npm run nightly -- ${seed}`);
process.exitCode = await run(
  process.execPath,
  [
    join(root, 'tools', 'bootstrap', 'jest.mjs'),
    '--maxWorkers=1',
    ...(paths.length > 0 ? paths : ['\\.nightly\\.test\\.', ...longForms.map((path) => `${path}\\.test\\.`)]),
  ],
  { cwd: root, env: { ...process.env, NIGHTLY_SEED: seed }, stdio: 'inherit' },
);
console.log(`Seed ${seed}`);
