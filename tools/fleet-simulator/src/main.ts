import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { simulateHistory, simulateLive, type SimulationOptions, type Tenant } from './index.ts';
import { writeLines } from './line-writer.ts';

const usage = `Usage: node src/main.ts history|live --now RFC3339 --tenants FILE [options]

Writes the records of a simulated GPU fleet to standard output, one JSON object per line.

  history            records up to --now
  live               records after --now, in real time, until SIGTERM, SIGINT or a closed pipe

  --now RFC3339      the end of the history
  --tenants FILE     JSON, - for standard input:
                     [{"customer_id": 1, "workspaces": [{"workspace_id": 1, "name": "…", "api_key_ids": [1]}]}]
  --seed N           default 1
  --hosts N          default 64
  --gpus N           default 512
  --alerts N         default 20000
  --days N           default 90
  --since RFC3339    live: start after this time; default --now
`;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { positionals, values: flags } = parseArgs({
    allowPositionals: true,
    options: {
      now: { type: 'string' },
      tenants: { type: 'string' },
      seed: { type: 'string' },
      hosts: { type: 'string' },
      gpus: { type: 'string' },
      alerts: { type: 'string' },
      days: { type: 'string' },
      since: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (flags.help) {
    console.log(usage);
    return;
  }
  const [mode] = positionals;
  if (positionals.length !== 1 || (mode !== 'history' && mode !== 'live')) {
    throw new Error(`The first argument must be history or live.\n\n${usage}`);
  }
  const options: SimulationOptions = {
    now: parseTimestamp('--now', flags.now),
    tenants: await readTenants(flags.tenants),
  };
  for (const name of ['seed', 'hosts', 'gpus', 'alerts', 'days'] as const) {
    const value = flags[name];
    if (value !== undefined) options[name] = parseInteger(`--${name}`, value);
  }
  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  process.once('SIGINT', () => stop.abort());
  const live = {
    signal: stop.signal,
    ...(flags.since === undefined ? {} : { since: parseTimestamp('--since', flags.since) }),
  };
  await writeLines(mode === 'history' ? simulateHistory(options) : simulateLive(options, live), stop.signal);
  // Unread output would keep the process alive.
  if (stop.signal.aborted) process.exit();
}

function parseTimestamp(name: string, value: string | undefined): Date {
  const date = new Date(value ?? '');
  if (value === undefined || !/[zZ]$|[+-]\d\d:\d\d$/.test(value) || Number.isNaN(date.getTime())) {
    throw new Error(
      `${name} must be an RFC 3339 timestamp such as 2026-11-21T00:00:00Z, got ${value ?? 'nothing'}`,
    );
  }
  return date;
}

function parseInteger(name: string, value: string): number {
  if (!/^\d+$/.test(value)) throw new Error(`${name} must be a non-negative integer, got "${value}"`);
  return Number(value);
}

async function readTenants(file: string | undefined): Promise<Tenant[]> {
  if (file === undefined) throw new Error('--tenants is required: a file, or - for standard input');
  const json = file === '-' ? await text(process.stdin) : readFileSync(file, 'utf8');
  try {
    return JSON.parse(json) as Tenant[];
  } catch {
    throw new Error(`--tenants must be JSON: ${file === '-' ? 'standard input' : file} is not`);
  }
}
