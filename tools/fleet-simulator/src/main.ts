import { json } from 'node:stream/consumers';
import { simulateHistory, simulateLive, type SimulationOptions } from './index.ts';
import { writeLines } from './line-writer.ts';

/** Standard input. */
interface Input extends Omit<SimulationOptions, 'now'> {
  now: string;
  /** `live`: start after this time. Default: `now`. */
  since?: string;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const [mode] = process.argv.slice(2);
  if (mode !== 'history' && mode !== 'live')
    throw new Error('Usage: node src/main.ts history|live < options.json (README.md)');
  const { now, since, ...others } = (await json(process.stdin)) as Input;
  const options = { ...others, now: new Date(now) };
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  process.once('SIGINT', () => stop.abort());
  const live = { signal: stop.signal, ...(since !== undefined && { since: new Date(since) }) };
  await writeLines(mode === 'history' ? simulateHistory(options) : simulateLive(options, live), stop.signal);
  // Unread output would keep the process alive.
  if (stop.signal.aborted) process.exit();
}
