import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchmarkAccount } from './account.ts';
import { describeCosts } from './costs.ts';
import { describeComparisons } from './fleet/comparison.ts';
import { benchmarkFleet, CASE_NAMES } from './fleet/fleet.ts';
import { fleetOptions, USAGE } from './fleet/options.ts';
import { benchmarkWebsite, describeWebsite } from './website.ts';

const DATA_SETS = fileURLToPath(new URL('../../../.local/benchmarks/fleet', import.meta.url));

/** `bench account`, `bench fleet` and `bench website`: what the services cost on this machine. */
const [name = '', ...words] = process.argv.slice(2);
if (name === 'account' && words.length === 0) {
  console.log(describeCosts(await benchmarkAccount({ seconds: 3, signIns: 300 })));
} else if (name === 'website' && words.length === 0) {
  console.log(describeWebsite(await benchmarkWebsite({ seconds: 4 })));
} else if (name === 'fleet') {
  const options = fleetOptions(words, CASE_NAMES);
  if (typeof options === 'string') refuse(`${options}\n\n${USAGE}`);
  else {
    const comparisons = await benchmarkFleet(DATA_SETS, {
      ...options,
      tell: (line) => console.error(line),
    });
    console.log(describeComparisons(comparisons));
    console.log(`\nLoad of the machine in the last minute: ${(loadavg()[0] as number).toFixed(1)}`);
  }
} else refuse('Say what to measure: one of account, fleet, website.');

function refuse(why: string): void {
  console.error(why);
  process.exitCode = 1;
}
