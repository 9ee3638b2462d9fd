import {
  ascending,
  descending,
  expectOnly,
  expectSame,
  expectSorted,
  expectThat,
  Skipped,
} from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { API, byCodePoint, expectError, type Gpu, readOk, type Schemas, someGpus } from './requests.ts';

type Row = Pick<Schemas['GpuStatusModel'], 'health' | 'reason'>;

/** Of `GET /gpus`: a missing GPU with a critical reason follows the critical ones. */
const URGENCY = ['critical', 'missing and critical', 'degraded', 'missing', 'healthy'];
const MAX_PAGE_SIZE = 1_000;
const MAX_STEPS = 400;

export const hosts: Rule[] = [
  rule('hosts-ordered-by-health', 'docs/fleet-api.md#list-hosts', async (target) => {
    const { hosts: all, next_page_token: next } = await readOk(target, `/hosts?page_size=${MAX_PAGE_SIZE}`);
    if (all.length === 0) throw new Skipped('needs a host with a GPU');
    expectOrdered(all);
    for (const host of all) {
      const { hostname, health, gpu_count: count, gpus_by_health: byHealth } = host;
      const sum = Object.values(byHealth).reduce((total, n) => total + n, 0);
      expectSame(sum, count, `GPUs by health of ${hostname}`);
      expectThat(byHealth[health] > 0, `${hostname} is ${health}, and none of its GPUs is`);
      expectReason(host, hostname);
    }
    const byName = async (size: number) => readOk(target, `/hosts?sort=name&page_size=${size}`);
    const named = (await byName(MAX_PAGE_SIZE)).hosts.map(({ hostname }) => hostname);
    // Of more hosts than a page has, both lists have others.
    const expected = next === undefined ? all.map(({ hostname }) => hostname) : named;
    expectSame(named, expected.toSorted(byCodePoint), 'hosts by name');
    const page = await byName(1);
    expectSame(
      [page.hosts.map(({ hostname }) => hostname), page.next_page_token !== undefined],
      [named.slice(0, 1), all.length > 1],
      'page_size=1: the first host, and whether there is a next page',
    );
    return `${all.length} hosts, critical to healthy`;
  }),
  rule('host-by-name', 'docs/fleet-api.md#get-a-host', async (target) => {
    const { hosts: all } = await readOk(target, '/hosts?page_size=3');
    if (all.length === 0) throw new Skipped('needs a host with a GPU');
    for (const { hostname, gpu_count: count } of all) {
      const { host } = await readOk(target, `/hosts/${encodeURIComponent(hostname)}`);
      expectSame([host.hostname, host.gpus.length], [hostname, count], 'hostname and number of GPUs');
      for (const gpu of host.gpus) {
        expectSame(gpu.hostname, hostname, `host of ${gpu.gpu_id}`);
        expectReason(gpu, gpu.gpu_id);
      }
      const ids = host.gpus.map(({ gpu_id }) => gpu_id);
      for (const job of host.jobs)
        expectThat(ids.includes(job.gpu_id), `a job of ${job.gpu_id} on ${hostname}`);
    }
    const unknown = await target.read(`${API}/hosts/no-such-host`);
    expectError(unknown, 404, 'not_found', 'an unknown host');
    return `${all.length} hosts with their GPUs`;
  }),
  rule('gpu-status-filtered-and-sorted', 'docs/fleet-api.md#list-gpu-status', async (target) => {
    await someGpus(target);
    const read = async (query: string) =>
      (await readOk(target, `/gpu-status?page_size=${MAX_PAGE_SIZE}${query}`)).gpus;
    const all = await read('');
    expectOrdered(all);
    for (const gpu of all) expectReason(gpu, gpu.gpu_id);
    const temperatures = (await read('&sort=hottest')).map(({ health, latest }) =>
      health === 'missing' ? -Infinity : (latest.temperature_c ?? -Infinity),
    );
    expectSorted(temperatures, descending, 'temperatures, the highest first');
    const [{ health, hostname }] = all as [Schemas['GpuStatusModel']];
    const ofHealth = await read(`&health=${health}`);
    expectOnly(ofHealth, (gpu) => gpu.health === health, `health=${health}`);
    const ofHost = await read(`&hostname=${encodeURIComponent(hostname)}`);
    expectOnly(ofHost, (gpu) => gpu.hostname === hostname, `hostname=${hostname}`);
    return `${all.length} GPUs`;
  }),
  rule('gpu-history-in-even-steps', 'docs/fleet-api.md#gpu-history', async (target) => {
    const rows = await someGpus(target);
    const composite = rows.find(({ gpu_id: id }) => /^[\w.:-]+\|[\w.:|-]*$/.test(id));
    for (const { gpu_id: id } of [rows[0] as Gpu, ...(composite ? [composite] : [])]) {
      const paths = id === composite?.gpu_id ? [id, encodeURIComponent(id)] : [encodeURIComponent(id)];
      for (const path of paths) await expectEvenSteps(target, id, path);
    }
    expectError(await target.read(`${API}/gpu-history/no-such-gpu`), 404, 'not_found', 'an unknown GPU');
    return composite ? 'a UUID and a composite id, encoded and raw' : 'a UUID';
  }),
];

async function expectEvenSteps(target: Target, id: string, path: string): Promise<void> {
  const history = await readOk(target, `/gpu-history/${path}`);
  const { from, to, step_seconds: step, readings } = history;
  expectSame(history.gpu_id, id, 'gpu_id');
  const begins = readings.at.map((at) => Date.parse(at) / 1_000);
  const count = (Date.parse(to) - Date.parse(from)) / 1_000 / step;
  expectSame(
    begins,
    Array.from({ length: count }, (_unused, n) => Date.parse(from) / 1_000 + n * step),
    `steps of ${step} s`,
  );
  expectThat(count <= MAX_STEPS, `${count} steps`);
  for (const [name, values] of Object.entries(readings))
    expectSame(values.length, count, `length of ${name}`);
}

/** A row has a reason with an instruction, unless it is healthy. */
function expectReason({ health, reason }: Row, name: string): void {
  expectSame(reason === null, health === 'healthy', `${name} is ${health}: without a reason`);
  if (reason !== null) expectThat(reason.action !== '', `the reason of ${name} has no action`);
}

/** Returns the rank of a row in lists by health. */
export const urgencyOf = ({ health, reason }: Row) =>
  URGENCY.indexOf(health === 'missing' && reason?.health === 'critical' ? 'missing and critical' : health);

function expectOrdered(rows: readonly Row[]): void {
  expectSorted(rows.map(urgencyOf), ascending, `ranks of ${URGENCY.join(', ')}`);
}
