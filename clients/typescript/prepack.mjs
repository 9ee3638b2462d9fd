// Builds the package before `npm pack` and `npm publish`, in a fresh clone too, where nothing is installed yet.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { install } from '../../tools/bootstrap/install.mjs';
import { withLock } from '../../tools/bootstrap/lock.mjs';

await withLock(() => install({ withDevelopment: true }));
const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: import.meta.dirname,
  // Standard output belongs to npm: `npm pack --json` prints a document there.
  stdio: ['ignore', 2, 2],
});
process.exitCode = status ?? 1;
