import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { constants } from 'node:os';

const children = new Map<ChildProcess, NodeJS.Signals>();
const folders = new Set<string>();
const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Stops a child at the latest when this process exits, also by SIGINT or SIGTERM.
 *
 * @param signal ends the child at once. SIGQUIT for PostgreSQL, which then also stops its own children
 */
export function stopAtExit<Child extends ChildProcess>(
  child: Child,
  signal: NodeJS.Signals = 'SIGKILL',
): Child {
  children.set(child, signal);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Deletes a folder at the latest when this process exits, also by SIGINT or SIGTERM. */
export function deleteAtExit(folder: string): void {
  folders.add(folder);
}

/** Makes SIGINT, SIGTERM and SIGHUP end this process with the usual exit code, after the clean-up. */
export function cleanUpWhenInterrupted(): void {
  process.once('exit', cleanUp);
  for (const signal of INTERRUPTIONS)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

function cleanUp(): void {
  for (const [child, signal] of children) child.kill(signal);
  // Retries while a child that has just received the signal still writes.
  for (const folder of folders)
    rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
}
