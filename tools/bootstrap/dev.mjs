// `npm run dev -- console` serves the console's sources with hot reload; `npm run dev -- fleet-api` restarts a service after
// each change of its sources. Both use the running local stack.
import { join } from 'node:path';
import { build } from './build.mjs';
import { run } from './child-process.mjs';
import { withLock } from './lock.mjs';
import { root } from './root.mjs';

const [project = '', ...args] = process.argv.slice(2);
if (project === 'console') {
  process.exitCode = await run(
    process.execPath,
    [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), ...args],
    { cwd: join(root, 'apps', 'console'), stdio: 'inherit' },
  );
} else if (['fleet-api', 'account-service', 'website-api'].includes(project)) {
  await withLock(build);
  process.exitCode = await run(
    process.execPath,
    [join(root, 'tools/local-stack/src/dev.ts'), project, ...args],
    { stdio: 'inherit' },
  );
} else {
  console.error(
    'Usage: npm run dev -- console [options of vite]\n       npm run dev -- fleet-api|account-service|website-api [--data-directory PATH]',
  );
  process.exitCode = 1;
}
