import { textOf } from './failures.ts';
import { readOptions } from './options.ts';
import { killEveryChild } from './processes/child-program.ts';
import { screenOf } from './screen.ts';
import { startStack } from './stack.ts';
import { Steps } from './steps.ts';

/** As a shell says of a program that Ctrl-C ended. */
const INTERRUPTED = 130;
/** One Ctrl-C may arrive in several ways, from the terminal and from npm; only a later one is a second one. */
const ONE_WISH_MS = 500;

const options = readOptions(process.argv.slice(2));
// A shell that says production means something else; nothing here is ever that.
delete process.env.NODE_ENV;

const steps = new Steps();
const abort = new AbortController();
const asked = new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve()));
let askedAtMs: number | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (askedAtMs !== undefined) {
      if (Date.now() - askedAtMs < ONE_WISH_MS) return;
      killEveryChild();
      process.exit(INTERRUPTED);
    }
    askedAtMs = Date.now();
    steps.say('Stopping; once more to stop at once.');
    abort.abort();
  });
}

try {
  const stack = await startStack(options, steps, abort);
  steps.say(`Ready after ${steps.elapsed}.`);
  console.log(screenOf(stack));
  try {
    await Promise.race([asked, stack.broken]);
  } finally {
    await stack.stop();
  }
} catch (failure) {
  if (askedAtMs === undefined) {
    console.error(textOf(failure));
    process.exitCode = 1;
  }
}
if (askedAtMs !== undefined) steps.say('Stopped; the data is kept.');
process.exit();
