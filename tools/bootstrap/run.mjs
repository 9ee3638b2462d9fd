// Entry point of `npm start`, `npm test` and the other npm scripts that must work in a fresh clone (see `commands`).
//
// A fresh clone has no installed packages, so this folder is plain JavaScript without dependencies, for Node 20.19 and
// later. The steps:
//
//   1. Check the Node version. The imports come after that, because older versions may not parse them.
//   2. Install packages if node_modules does not match package-lock.json, development packages only for `development`.
//   3. Build what has changed.
//   4. Run the command with the Node in node_modules. Arguments, input, output and exit code are passed through.
//
// All messages go to standard error, because standard output belongs to the command.

const commands = {
  start: { program: 'tools/local-stack/src/main.ts', build: true },
  test: { program: 'tools/bootstrap/test.mjs', build: true, development: true },
  import: { program: 'tools/local-stack/src/import.ts', build: true },
  contract: { program: 'tools/contracts/src/main.ts', build: false },
  'scale-check': { program: 'tools/scale-check/src/main.ts', build: true },
  sbom: { program: 'docker/src/sbom.ts', build: false, development: true },
  bench: { program: 'tools/benchmarks/src/main.ts', build: true },
  coverage: { program: 'tools/bootstrap/coverage.mjs', build: true, development: true },
  nightly: { program: 'tools/bootstrap/nightly.mjs', build: true, development: true },
  frozen: { program: 'tests/frozen-requests/main.ts', build: true, development: true },
  // These use a running stack, which has been built.
  dev: { program: 'tools/bootstrap/dev.mjs', build: false, development: true },
  token: { program: 'tools/local-stack/src/token.ts', build: false },
};

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(
    `Node ${process.versions.node} is too old: install Node 20.19 or later (https://nodejs.org), then run the command again.`,
  );
}

const [name, ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
if (!command) fail(`Unknown command "${name ?? ''}": use one of ${Object.keys(commands).join(', ')}.`);

try {
  const { withLock } = await import('./lock.mjs');
  const { install } = await import('./install.mjs');
  const { build } = await import('./build.mjs');
  const { runProgram } = await import('./run-program.mjs');
  await withLock(async () => {
    await install(command.development ?? false);
    // The help of a command needs no build.
    if (command.build && !args.some((arg) => arg === '--help' || arg === '-h')) await build();
  });
  await runProgram(command.program, args);
} catch (error) {
  // A plain Error has a message for the user. Any other error is a bug and needs its stack trace.
  if (error.constructor === Error && !error.code) fail(error.message);
  const { fileSystemError } = await import('./install.mjs');
  fail(fileSystemError(error.code) ?? error.stack);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
