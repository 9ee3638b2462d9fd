// `npm run dev -- console`: serves the console's sources with hot reload. It uses the running local stack.
import { join } from 'node:path';
import { run } from './child-process.mjs';
import { root } from './root.mjs';

const [project, ...args] = process.argv.slice(2);
if (project === 'console') {
  process.exitCode = await run(
    process.execPath,
    [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), ...args],
    { cwd: join(root, 'apps', 'console'), stdio: 'inherit' },
  );
} else {
  console.error('Usage: npm run dev -- console [options of vite]');
  process.exitCode = 1;
}
