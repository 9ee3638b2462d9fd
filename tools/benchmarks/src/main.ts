import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchmark } from './benchmark.ts';
import { type Case, readOptions } from './options.ts';
import { formatTable, type Row } from './report.ts';

const DIRECTORY = fileURLToPath(new URL('../../../.local/benchmarks', import.meta.url));

const options = readOptions(process.argv.slice(2));
console.log(`${cpus().length} cores, ${cpus()[0]?.model.trim()}; load average ${loadavg()[0]?.toFixed(1)}`);
const tables = new Map<Case, Row[]>();
try {
  for await (const { name, row } of benchmark(DIRECTORY, options, console.error))
    tables.set(name, [...(tables.get(name) ?? []), row]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
// Also after an error, for what was measured before.
for (const [name, rows] of tables) console.log(`\n## ${name}\n\n${formatTable(rows)}`);
