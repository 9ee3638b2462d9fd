import { watch } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Time in which an editor completes a save. */
const SETTLE_MS = 100;

/** Runs `update` now and after each change of the folder, until the process ends. Changes during an update cause another one. */
export async function watchFolder(folder: string, update: () => Promise<void>): Promise<never> {
  let changed = Promise.withResolvers<void>();
  watch(folder, { recursive: true }, () => changed.resolve());
  for (;;) {
    await update();
    await changed.promise;
    await setTimeout(SETTLE_MS);
    changed = Promise.withResolvers();
  }
}
