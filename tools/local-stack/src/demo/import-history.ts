import { StackError } from '../errors.ts';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../steps.ts';
import type { DemoFleet } from './demo-fleet.ts';
import { type DemoContext, openSimulatorPipe } from './simulator-pipe.ts';

interface ImportCounts {
  written: number;
  duplicate: number;
  rejected: number;
}

const PROGRESS_INTERVAL_MS = 500;
const count = new Intl.NumberFormat('en-US');

/**
 * Imports the history of the fleet. The importer skips records of an earlier, interrupted import.
 *
 * @throws {StackError} with the end of the log when the simulator or the importer fails
 */
export async function importHistory(
  fleet: DemoFleet,
  demo: DemoContext,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const { simulator, importer } = openSimulatorPipe('history', fleet, demo, {
    importerOutput: 'pipe',
  });
  const stop = () => void Promise.all([simulator.stop(), importer.stop()]);
  signal.addEventListener('abort', stop, { once: true });
  const watching = new AbortController();
  void watchProgress(() => importer.logTail(1), report, watching.signal);
  try {
    const [output, ...endings] = await Promise.all([text(importer.stdout), importer.ended, simulator.ended]);
    signal.throwIfAborted();
    [importer, simulator].forEach((program, index) => {
      if (endings[index] !== 'code 0') {
        throw new StackError(`${program.name} exited with ${endings[index]}:\n${program.logTail()}`);
      }
    });
    const counts = JSON.parse(output) as ImportCounts & { reject_file?: string };
    const rejected =
      counts.rejected > 0 ? `, ${count.format(counts.rejected)} rejected: see ${counts.reject_file}` : '';
    report(`${describe(counts)}${rejected}`);
  } finally {
    watching.abort();
    signal.removeEventListener('abort', stop);
  }
}

/** Reports the progress from the last line of the importer's log. */
async function watchProgress(lastLine: () => string, report: Report, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(PROGRESS_INTERVAL_MS, undefined, { ref: false });
    const line = lastLine();
    if (signal.aborted || !line.startsWith('{"written"')) continue;
    report(describe(JSON.parse(line) as ImportCounts));
  }
}

function describe({ written, duplicate }: ImportCounts): string {
  return `${count.format(written + duplicate)} records`;
}
