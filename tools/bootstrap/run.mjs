// The door of `npm start`, `npm test`, and those of the npm scripts that have to work in a fresh clone (below).
//
// A fresh clone has git, npm and some Node, and nothing else. So this file and its neighbours are plain JavaScript
// without dependencies, for Node 20.19 and later. In turn they
//
//   1. refuse a Node that is too old (the imports below come after that, since it could not read them),
//   2. install the packages that package-lock.json names, if node_modules is not what it says,
//   3. build what has changed,
//   4. hand over to the command below, run by the Node that the project pins, with arguments, input and output passed
//      through, and end as it ends.
//
// What is said on the way goes to standard error: standard output belongs to the command.

const commands = {
  start: { program: 'tools/local-stack/src/main.ts', build: true },
  test: { program: 'tools/bootstrap/test.mjs', build: true },
  import: { program: 'tools/local-stack/src/import.ts', build: true },
  contract: { program: 'tools/contracts/src/main.ts', build: false },
  'scale-check': { program: 'tools/scale-check/src/main.ts', build: true },
  sbom: { program: 'docker/src/sbom.ts', build: false },
  bench: { program: 'tools/benchmarks/src/main.ts', build: true },
  // Talks to a stack that runs already.
  token: { program: 'tools/local-stack/src/token.ts', build: false },
};

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(
    `Node ${process.versions.node} is too old: install Node 20.19 or later (https://nodejs.org), then try again.`,
  );
}

const [name, ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
if (!command) fail(`Unknown command "${name ?? ''}": use one of ${Object.keys(commands).join(', ')}.`);

try {
  const { withLock } = await import('./lock.mjs');
  const { install } = await import('./install.mjs');
  const { build } = await import('./build.mjs');
  const { handOver } = await import('./hand-over.mjs');
  await withLock(async () => {
    await install();
    if (command.build) await build();
  });
  await handOver(command.program, args);
} catch (error) {
  // A plain Error is our own sentence to the person; anything else is a fault of ours, with its trace.
  fail(error.constructor === Error && !error.code ? error.message : error.stack);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
