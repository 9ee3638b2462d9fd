import { fullDiskMessage } from './data-directory.ts';
import { errorMessage } from './errors.ts';
import { readOptions } from './options.ts';
import { killAllChildren } from './processes/child-program.ts';
import { readyMessage, signInMessage } from './messages.ts';
import { Steps } from './steps.ts';

/** Exit code of a shell for a program that Ctrl-C ended. */
const INTERRUPTED = 130;
/** The terminal and npm may both deliver one Ctrl-C. Signals within this time count as one. */
const SIGNAL_DEDUPLICATION_MS = 500;

const options = readOptions(process.argv.slice(2));
// The local stack never runs in production mode, even if the shell sets NODE_ENV.
delete process.env.NODE_ENV;

const abort = new AbortController();
const steps = new Steps(process.stderr, abort.signal);
const aborted = new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve()));
let stoppingSinceMs: number | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stoppingSinceMs !== undefined) {
      if (Date.now() - stoppingSinceMs < SIGNAL_DEDUPLICATION_MS) return;
      killAllChildren();
      process.exit(INTERRUPTED);
    }
    stoppingSinceMs = Date.now();
    steps.print('Stopping. Press Ctrl-C again to stop immediately.');
    abort.abort();
  });
}

try {
  // Loaded after the options, because --help must work without a build.
  const { startStack } = await import('./stack.ts');
  const stack = await startStack(options, steps, abort, (description) =>
    steps.print(signInMessage(description), process.stdout),
  );
  steps.print(`Ready in ${steps.elapsed}.`);
  console.log(readyMessage(stack));
  try {
    await Promise.race([aborted, stack.broken]);
  } finally {
    await stack.stop();
  }
} catch (failure) {
  if (stoppingSinceMs === undefined) {
    console.error(errorMessage(failure));
    const fullDisk = fullDiskMessage(options.dataDirectory);
    if (fullDisk) console.error(fullDisk);
    process.exitCode = 1;
  }
}
if (stoppingSinceMs !== undefined) steps.print('Stopped. The data is kept.');
process.exit();
