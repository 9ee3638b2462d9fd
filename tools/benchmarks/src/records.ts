import { ALERT_TYPES, DAY_MS, SECOND_MS, SEVERITIES } from '@gpu-observatory/domain-types';
import type { Size } from './options.ts';

const GPUS_PER_HOST = 8;
const HALF_HOURS = 48;
export const REPORT_INTERVAL_MS = 15 * SECOND_MS;
/** Every alert with this number has a timeline and a changed state. */
const EVENTFUL = 20;
const WORKSPACES = 20;

/** Returns a deterministic pseudo-random integer in [0, limit). */
const random = (seed: number, limit: number) => (Math.imul(seed + 1, 2_654_435_761) >>> 8) % limit;
const gpuId = (n: number) => `GPU-${String(n).padStart(8, '0')}-5f0c-4d1e-9c2a-3b7d9e6f0a11`;
const alertId = (n: number) => `${n.toString(16).padStart(8, '0')}-7d3b-4a90-8f1e-2c6b5a4d3e01`;
const hostOf = (gpu: number) =>
  `node-${String(Math.floor(gpu / GPUS_PER_HOST)).padStart(4, '0')}.cluster.example`;
const iso = (ms: number) => new Date(ms).toISOString();

/** Customer 1 has 94 % of the alerts and all GPUs, in 20 workspaces with an API key each. */
function ownerOf(n: number) {
  const percent = random(n, 100);
  if (percent >= 94) return { customer_id: percent >= 99 ? 3 : 2, workspace_id: 200, api_key_id: 20_001 };
  const workspace = 101 + (n % WORKSPACES);
  return { customer_id: 1, workspace_id: workspace, api_key_id: workspace * 100 + 1 };
}

/** Generates the records as NDJSON. */
export function* linesOf(records: Iterable<object>): Generator<string> {
  for (const record of records) yield JSON.stringify(record);
}

/** Generates the GPUs with their history and the alerts of the days before `endMs`. */
export function* fleetRecords({ alerts, gpus, days }: Size, endMs: number): Generator<object> {
  yield* gpuRecords(gpus, endMs - days * DAY_MS);
  for (let day = days; day >= 1; day--) {
    for (let n = 0; n < gpus; n++) yield gpuDay(n, day, endMs);
  }
  yield* alertRecords(alerts, gpus, endMs, (days * DAY_MS) / alerts);
}

function* gpuRecords(gpus: number, atMs: number): Generator<object> {
  for (let n = 0; n < gpus; n++) {
    yield {
      kind: 'gpu',
      customer_id: 1,
      workspace_id: 101 + (Math.floor(n / GPUS_PER_HOST) % WORKSPACES),
      gpu_id: gpuId(n),
      at: iso(atMs),
      vendor: 'NVIDIA',
      model: 'NVIDIA H100 80GB HBM3',
      hostname: hostOf(n),
      report_interval_seconds: REPORT_INTERVAL_MS / SECOND_MS,
    };
  }
}

function gpuDay(n: number, day: number, endMs: number): object {
  const readings = (min: number, range: number) =>
    Array.from({ length: HALF_HOURS }, (_unused, halfHour) => min + random(n * day + halfHour, range));
  return {
    kind: 'gpu_day',
    customer_id: 1,
    gpu_id: gpuId(n),
    day: iso(endMs - day * DAY_MS).slice(0, 'yyyy-mm-dd'.length),
    samples: Array<number>(HALF_HOURS).fill(120),
    utilization_pct: readings(0, 101),
    memory_used_mib: readings(8_000, 64_000),
    temperature_c: readings(40, 30),
    power_draw_w: readings(100, 600),
    memory_total_mib: 81_559,
    xid_reported: true,
  };
}

/** Generates alerts at equal intervals up to `endMs`. */
export function* alertRecords(
  alerts: number,
  gpus: number,
  endMs: number,
  intervalMs: number,
): Generator<object> {
  for (let n = 0; n < alerts; n++) {
    const createdMs = Math.floor(endMs - (alerts - n) * intervalMs);
    const type = ALERT_TYPES[random(n, ALERT_TYPES.length)] as string;
    const { customer_id, ...owner } = ownerOf(n);
    yield {
      kind: 'alert',
      ...{ customer_id, ...owner },
      id: alertId(n),
      title: `Unusual activity of ${type}, pattern ${n % 97}`,
      description: `Process ${n % 400_000} that no workload of this node accounts for has been seen by the detector of ${type}; it began ${n % 3_600} s before the report and did not end when the job that owns the device did.`,
      type,
      severity: SEVERITIES[random(n * 7, SEVERITIES.length)],
      created_at: iso(createdMs),
      hostname: hostOf(n % gpus),
      gpu_model: 'NVIDIA H100 80GB HBM3',
      resource_details: {
        process_details: {
          title: 'python3',
          process_name: 'python3',
          pid: n,
          start_time: iso(createdMs - 60 * SECOND_MS),
          current_status: 'running',
          command_line: 'python3 train.py --epochs 3',
        },
      },
    };
    if (n % EVENTFUL === EVENTFUL - 1) {
      yield {
        kind: 'timeline_event',
        customer_id,
        alert_id: alertId(n),
        ts: iso(createdMs - SECOND_MS),
        pid: n,
        tid: n,
        event_type: 'exec',
        event_info: 'python3 started',
        comm: 'python3',
      };
      yield {
        kind: 'alert_state',
        customer_id,
        alert_id: alertId(n),
        at: iso(createdMs + SECOND_MS),
        state: 'ignored',
      };
    }
  }
}

/** Generates the readings of all GPUs in turns, the last at `endMs`. */
export function* sampleRecords(samples: number, gpus: number, endMs: number): Generator<object> {
  const rounds = Math.ceil(samples / gpus);
  yield* gpuRecords(gpus, endMs - rounds * REPORT_INTERVAL_MS);
  for (let n = 0; n < samples; n++) {
    yield {
      kind: 'gpu_sample',
      customer_id: 1,
      gpu_id: gpuId(n % gpus),
      at: iso(endMs - (rounds - 1 - Math.floor(n / gpus)) * REPORT_INTERVAL_MS),
      utilization_pct: random(n, 101),
      memory_used_mib: 8_000 + random(n, 64_000),
      memory_total_mib: 81_559,
      temperature_c: 40 + random(n, 30),
      power_draw_w: 100 + random(n, 6_000) / 10,
      power_limit_w: 700,
      sm_clock_mhz: 1_000 + random(n, 980),
      memory_clock_mhz: 2_619,
      xid_last_code: 0,
    };
  }
}

/** Fields of a scrape for each GPU, with their values. */
const SCRAPED_FIELDS: [name: string, value: (n: number) => number][] = [
  ['DCGM_FI_DEV_SM_CLOCK', (n) => 1_000 + random(n, 980)],
  ['DCGM_FI_DEV_MEM_CLOCK', () => 2_619],
  ['DCGM_FI_DEV_GPU_TEMP', (n) => 40 + random(n, 30)],
  ['DCGM_FI_DEV_POWER_USAGE', (n) => 100 + random(n, 6_000) / 10],
  ['DCGM_FI_DEV_GPU_UTIL', (n) => random(n, 101)],
  ['DCGM_FI_DEV_FB_FREE', (n) => 70_000 - random(n, 64_000)],
  ['DCGM_FI_DEV_FB_USED', (n) => 8_000 + random(n, 64_000)],
  ['DCGM_FI_DEV_XID_ERRORS', () => 0],
  ['DCGM_FI_DEV_ECC_SBE_VOL_TOTAL', () => 0],
  ['DCGM_FI_DEV_ECC_DBE_VOL_TOTAL', () => 0],
];

/** Generates one page of dcgm-exporter with all GPUs. */
export function* scrapeLines(round: number, gpus: number, atMs: number): Generator<string> {
  for (const [name, value] of SCRAPED_FIELDS) {
    yield `# HELP ${name} of DCGM`;
    yield `# TYPE ${name} gauge`;
    for (let n = 0; n < gpus; n++) {
      const slot = n % GPUS_PER_HOST;
      yield (
        `${name}{gpu="${slot}",UUID="${gpuId(n)}",device="nvidia${slot}",modelName="NVIDIA H100 80GB HBM3",` +
        `Hostname="${hostOf(n)}"} ${value(round * gpus + n)} ${atMs}`
      );
    }
  }
}

/** Generates events of Falco's JSON output, the last at `endMs`. */
export function* falcoEvents(events: number, gpus: number, endMs: number): Generator<object> {
  for (let n = 0; n < events; n++) {
    const atMs = endMs - (events - n);
    const time = iso(atMs).replace('Z', `${String(n % 1_000_000).padStart(6, '0')}Z`);
    yield {
      hostname: hostOf(n % gpus),
      output: `${time}: Notice A shell was spawned in a container with an attached terminal (container=${n % 997})`,
      priority: ['Critical', 'Error', 'Warning', 'Notice'][random(n, 4)],
      rule: 'Terminal shell in container',
      source: 'syscall',
      tags: ['container', 'mitre_execution', 'shell'],
      time,
      output_fields: {
        'container.id': `5892b41b${String(n % 997).padStart(4, '0')}`,
        'container.image.repository': 'docker.io/library/alpine',
        'evt.time': atMs * 1e6,
        'evt.type': 'execve',
        'k8s.ns.name': 'default',
        'k8s.pod.name': `worker-${n % 997}`,
        'proc.cmdline': 'sh -c uptime',
        'proc.exepath': '/bin/busybox',
        'proc.name': 'sh',
        'proc.pid': n,
        'proc.pid.ts': (atMs - SECOND_MS) * 1e6,
        'proc.pname': 'runc',
        'proc.ppid': 4700,
        'thread.tid': n,
      },
    };
  }
}
