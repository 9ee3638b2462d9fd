import { StackError } from '../failures.ts';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '../steps.ts';
import type { DemoFleet } from './demo-fleet.ts';
import { type DemoSurroundings, openSimulatorPipe } from './simulator-pipe.ts';

interface ImportCounts {
  written: number;
  known: number;
  rejected: number;
}

const LOOK_EVERY_MS = 500;
const count = new Intl.NumberFormat('en-US');

/**
 * Brings the fleet's past in. Records that an earlier, interrupted import brought already are known and skipped.
 *
 * @throws {StackError} with the end of a log when the simulator or the importer failed
 */
export async function importHistory(
  fleet: DemoFleet,
  surroundings: DemoSurroundings,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const { simulator, importer } = openSimulatorPipe('history', fleet, surroundings, {
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
        throw new StackError(`${program.name} ended with ${endings[index]}:\n${program.logTail()}`);
      }
    });
    const counts = JSON.parse(output) as ImportCounts & { reject_file?: string };
    const refused =
      counts.rejected > 0 ? `, ${count.format(counts.rejected)} refused: see ${counts.reject_file}` : '';
    report(`${describe(counts)}${refused}`);
  } finally {
    watching.abort();
    signal.removeEventListener('abort', stop);
  }
}

/** The importer says how far it is as the last line of its log. */
async function watchProgress(lastLine: () => string, report: Report, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(LOOK_EVERY_MS, undefined, { ref: false });
    const line = lastLine();
    if (signal.aborted || !line.startsWith('{"written"')) continue;
    report(describe(JSON.parse(line) as ImportCounts));
  }
}

function describe({ written, known }: ImportCounts): string {
  return `${count.format(written + known)} records`;
}
