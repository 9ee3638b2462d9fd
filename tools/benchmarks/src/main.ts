import { benchmarkAccount } from './account.ts';
import { describeCosts } from './costs.ts';

/** `bench account`: what account-service costs on this machine. */
const benchmarks = { account: benchmarkAccount };

const [name = '', ...rest] = process.argv.slice(2);
if (!Object.hasOwn(benchmarks, name) || rest.length > 0) {
  console.error(`Say what to measure: one of ${Object.keys(benchmarks).join(', ')}.`);
  process.exit(1);
}
const costs = await benchmarks[name as keyof typeof benchmarks]({ seconds: 3, signIns: 300 });
console.log(describeCosts(costs));
