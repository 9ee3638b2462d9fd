import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchmarkAccount } from './account/benchmark.ts';
import { benchmarkRevocations } from './account/revocations.ts';
import { formatCosts } from './costs.ts';
import { type Comparison, formatComparisons } from './comparison.ts';
import { benchmarkFleet, CASE_NAMES } from './fleet/benchmark.ts';
import { fleetOptions, USAGE } from './fleet/options.ts';
import { benchmarkWebsite } from './website/benchmark.ts';

const DATA_SETS = fileURLToPath(new URL('../../../.local/benchmarks/fleet', import.meta.url));

const [name = '', ...args] = process.argv.slice(2);
if (name === 'account' && args.length === 0) {
  console.log(formatCosts(await benchmarkAccount(3, 300)));
} else if (name === 'revocations' && args.length === 0) {
  console.log(await benchmarkRevocations(1_000_000));
} else if (name === 'website' && args.length === 0) {
  console.log(formatComparisons(await benchmarkWebsite(4)));
} else if (name === 'fleet') {
  const options = fleetOptions(args, CASE_NAMES);
  if (typeof options === 'string') fail(`${options}\n\n${USAGE}`);
  else {
    const comparisons: Comparison[] = [];
    try {
      const log = (line: string) => console.error(line);
      for await (const ofCase of benchmarkFleet(DATA_SETS, { ...options, log })) comparisons.push(...ofCase);
    } finally {
      // Also those before a case that failed.
      console.log(formatComparisons(comparisons));
      console.log(`\nLoad average of the last minute: ${(loadavg()[0] as number).toFixed(1)}`);
    }
  }
} else fail('Usage: npm run bench -- account | revocations | fleet | website');

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}
