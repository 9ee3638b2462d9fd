import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchmark } from './benchmark.ts';
import { readOptions, USAGE } from './options.ts';
import { formatTable } from './report.ts';

const DIRECTORY = fileURLToPath(new URL('../../../.local/benchmarks', import.meta.url));

const args = process.argv.slice(2);
if (args.includes('--help')) console.log(USAGE);
else {
  try {
    const options = readOptions(args);
    console.log(
      `${cpus().length} cores, ${cpus()[0]?.model.trim()}; load average ${loadavg()[0]?.toFixed(1)}`,
    );
    for await (const { name, rows } of benchmark(DIRECTORY, options, console.error))
      console.log(`\n## ${name}\n\n${formatTable(rows)}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
