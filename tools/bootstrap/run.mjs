// Entry point of the npm scripts that must work in a fresh clone, without installed packages: `run.mjs [--dev] [--build] PROGRAM
// [ARGUMENTS]`, see package.json. Plain JavaScript without dependencies, for Node 20.19 and later. The steps:
//
//   1. Check the Node version. The imports come after that, because older versions may not parse them.
//   2. Install packages if node_modules does not match package-lock.json; development packages only with --dev.
//   3. With --build, build what has changed.
//   4. Run the program with the Node in node_modules. Arguments, input, output and exit code are passed through.
//
// All messages go to standard error, because standard output belongs to the program.

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(
    `Node ${process.versions.node} is too old: install Node 20.19 or later (https://nodejs.org), then run the command again.`,
  );
}

const args = process.argv.slice(2);
const programIndex = args.findIndex((arg) => !arg.startsWith('--'));
const options = args.slice(0, programIndex);
const [program, ...programArgs] = args.slice(programIndex);

try {
  const { withLock } = await import('./lock.mjs');
  const { install } = await import('./install.mjs');
  const { build } = await import('./build.mjs');
  const { runProgram } = await import('./run-program.mjs');
  await withLock(async () => {
    await install({ withDevelopment: options.includes('--dev') });
    if (options.includes('--build')) await build();
  });
  await runProgram(program, programArgs);
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
