import { simulateHistory, type SimulationOptions } from '@gpu-observatory/fleet-simulator';
import { runToCompletion } from '../processes/run-to-completion.ts';
import type { Report } from '../steps.ts';
import { type DemoTarget, fleetImporter } from './fleet-importer.ts';

const LINES_PER_REPORT = 5_000;
const count = new Intl.NumberFormat('en-US');

/**
 * Imports the history of the fleet. The importer skips records of an earlier, interrupted import.
 *
 * @throws {ProgramError} with the end of the log when the importer fails
 */
export async function importHistory(
  simulation: SimulationOptions,
  target: DemoTarget,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const input = counted(simulateHistory(simulation), report);
  const output = await runToCompletion({ ...fleetImporter('history', target), input }, signal);
  const { rejected, reject_file: file } = JSON.parse(output) as { rejected: number; reject_file?: string };
  if (rejected > 0) report(`${count.format(rejected)} records rejected: see ${file}`);
}

function* counted(lines: Iterable<string>, report: Report): Generator<string> {
  let written = 0;
  for (const line of lines) {
    yield line;
    written += 1;
    if (written % LINES_PER_REPORT === 0) report(`${count.format(written)} records`);
  }
  report(`${count.format(written)} records`);
}
