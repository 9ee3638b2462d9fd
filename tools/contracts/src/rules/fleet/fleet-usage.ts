import { descending, expectSame, expectSorted, expectThat, Skipped } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import { readSnapshot, type Schemas } from './requests.ts';

type Usage = Schemas['FleetUsageModel'];

const GROUPINGS = ['workspace', 'model', 'host'];
const FIELDS = ['gpu_count', 'busy_gpu_hours', 'idle_gpu_hours', 'missing_gpu_hours'] as const;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Sums of numbers with four decimals. */
const isNear = (a: number, b: number) => Math.abs(a - b) <= 0.1;

export const fleetUsage: Rule[] = [
  rule('usage-adds-up', 'docs/fleet-api.md#fleet-usage', async (target) => {
    // Whole days that are over, so that no half hour comes between the requests.
    const midnightMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const [from, to] = [7, 0].map((days) => new Date(midnightMs - days * DAY_MS).toISOString());
    const all = await readSnapshot(
      target,
      GROUPINGS.map((name) => `/fleet-usage?group_by=${name}&from=${from}&to=${to}&page_size=1000` as const),
    );
    const [{ total }] = all as [Usage];
    if (total.gpu_count === 0) throw new Skipped('needs a GPU with telemetry');
    for (const [n, usage] of all.entries()) {
      const what = `of group_by=${GROUPINGS[n]}`;
      expectSame([usage.from, usage.to], [from, to], `window ${what}`);
      const { busy_gpu_hours, idle_gpu_hours, missing_gpu_hours, unmeasured_gpu_hours } = usage.total;
      const hours = busy_gpu_hours + idle_gpu_hours + missing_gpu_hours + unmeasured_gpu_hours;
      const available = (usage.total.gpu_count * 7 * DAY_MS) / HOUR_MS;
      expectThat(hours <= available + 0.1, `${hours} GPU-hours ${what}, of ${available} in the window`);
      const idle = usage.groups.map((group) => group.idle_gpu_hours);
      expectSorted(idle, descending, `idle hours ${what}, the most first`);
      for (const field of FIELDS) {
        expectThat(
          isNear(usage.total[field], total[field]),
          `total ${field} ${what} is ${usage.total[field]}`,
        );
        const sum = usage.groups.reduce((added, group) => added + group[field], 0);
        if (usage.group_count === usage.groups.length)
          expectThat(
            isNear(sum, total[field]),
            `the groups ${what} have ${sum} ${field}, not ${total[field]}`,
          );
      }
    }
    return `${total.gpu_count} GPUs in ${all.map(({ group_count }) => group_count).join(', ')} groups`;
  }),
];
