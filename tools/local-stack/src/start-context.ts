import type { DataDirectory } from './data-directory.ts';
import type { StackOptions } from './options.ts';
import type { Ports } from './ports.ts';
import type { Steps } from './steps.ts';

/** Dependencies of every step of a start. */
export interface StartContext {
  options: StackOptions;
  ports: Ports;
  directory: DataDirectory;
  steps: Steps;
  /** Aborted by a signal from the user or by the first failed step. */
  abort: AbortController;
  /** Everything to stop, in reverse order. */
  started: AsyncDisposableStack;
}
