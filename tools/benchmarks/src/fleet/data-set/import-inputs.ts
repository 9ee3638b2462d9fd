import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

/** Number of GPUs in the generated input; each reports every 15 s. */
export const IMPORTED_GPUS = 1_000;
const INTERVAL_MS = 15_000;
const GPUS_PER_HOST = 8;
const LINES_PER_WRITE = 1_000;
const ALERT_INTERVAL_MS = 5;

/** Streams lines to a file, because the input can exceed a gigabyte. */
export async function writeLines(file: string, lines: Iterable<string>): Promise<void> {
  await pipeline(chunksOf(lines), createWriteStream(file));
}

function* chunksOf(lines: Iterable<string>): Generator<string> {
  let chunk: string[] = [];
  for (const line of lines) {
    chunk.push(line);
    if (chunk.length < LINES_PER_WRITE) continue;
    yield `${chunk.join('\n')}\n`;
    chunk = [];
  }
  if (chunk.length > 0) yield `${chunk.join('\n')}\n`;
}

const gpuId = (n: number) => `GPU-${String(n).padStart(8, '0')}-5f0c-4d1e-9c2a-3b7d9e6f0a11`;
const hostOf = (n: number) =>
  `node-${String(Math.floor(n / GPUS_PER_HOST)).padStart(4, '0')}.cluster.example`;
/** Deterministic pseudo-random integer in [0, limit). */
const pseudoRandom = (n: number, limit: number) => (Math.imul(n + 1, 2_654_435_761) >>> 8) % limit;

/** Fields of a scrape for each GPU, with their values. */
const SCRAPED_FIELDS: [name: string, value: (n: number) => number][] = [
  ['DCGM_FI_DEV_SM_CLOCK', (n) => 1_000 + pseudoRandom(n, 980)],
  ['DCGM_FI_DEV_MEM_CLOCK', () => 2_619],
  ['DCGM_FI_DEV_GPU_TEMP', (n) => 40 + pseudoRandom(n, 30)],
  ['DCGM_FI_DEV_POWER_USAGE', (n) => 100 + pseudoRandom(n, 6_000) / 10],
  ['DCGM_FI_DEV_GPU_UTIL', (n) => pseudoRandom(n, 101)],
  ['DCGM_FI_DEV_FB_FREE', (n) => 70_000 - pseudoRandom(n, 64_000)],
  ['DCGM_FI_DEV_FB_USED', (n) => 8_000 + pseudoRandom(n, 64_000)],
  ['DCGM_FI_DEV_XID_ERRORS', () => 0],
  ['DCGM_FI_DEV_ECC_SBE_VOL_TOTAL', () => 0],
  ['DCGM_FI_DEV_ECC_DBE_VOL_TOTAL', () => 0],
];

/** Generates GPU records and `samples` samples in order of time, the last at `endMs`. */
export function* sampleLines(samples: number, endMs: number): Generator<string> {
  const rounds = Math.ceil(samples / IMPORTED_GPUS);
  for (let n = 0; n < IMPORTED_GPUS; n++)
    yield JSON.stringify({
      kind: 'gpu',
      gpu_id: gpuId(n),
      at: new Date(endMs - rounds * INTERVAL_MS).toISOString(),
      vendor: 'NVIDIA',
      model: 'NVIDIA H100 80GB HBM3',
      hostname: hostOf(n),
      report_interval_seconds: INTERVAL_MS / 1000,
    });
  for (let n = 0; n < samples; n++) {
    const round = Math.floor(n / IMPORTED_GPUS);
    yield JSON.stringify({
      kind: 'gpu_sample',
      gpu_id: gpuId(n % IMPORTED_GPUS),
      at: new Date(endMs - (rounds - 1 - round) * INTERVAL_MS).toISOString(),
      utilization_pct: pseudoRandom(n, 101),
      memory_used_mib: 8_000 + pseudoRandom(n, 64_000),
      memory_total_mib: 81_559,
      temperature_c: 40 + pseudoRandom(n, 30),
      power_draw_w: 100 + pseudoRandom(n, 6_000) / 10,
      power_limit_w: 700,
      sm_clock_mhz: 1_000 + pseudoRandom(n, 980),
      memory_clock_mhz: 2_619,
      xid_last_code: 0,
      throttle_reasons: 0,
      ecc_single_bit_total: 0,
      ecc_double_bit_total: 0,
    });
  }
}

/** Generates one scrape of all GPUs in the format of dcgm-exporter. */
export function* scrapeLines(round: number, atMs: number): Generator<string> {
  for (const [name, value] of SCRAPED_FIELDS) {
    yield `# HELP ${name} of DCGM`;
    yield `# TYPE ${name} gauge`;
    for (let n = 0; n < IMPORTED_GPUS; n++)
      yield (
        `${name}{gpu="${n % GPUS_PER_HOST}",UUID="${gpuId(n)}",pci_bus_id="00000000:${(24 + (n % GPUS_PER_HOST)).toString(16)}:00.0",` +
        `device="nvidia${n % GPUS_PER_HOST}",modelName="NVIDIA H100 80GB HBM3",Hostname="${hostOf(n)}",` +
        `DCGM_FI_DRIVER_VERSION="550.90.07"} ${value(round * IMPORTED_GPUS + n)} ${atMs}`
      );
  }
}

/** Generates alerts as NDJSON records, the last at `endMs`. */
export function* alertLines(alerts: number, endMs: number): Generator<string> {
  for (let n = 0; n < alerts; n++)
    yield JSON.stringify({
      kind: 'alert',
      id: `${n.toString(16).padStart(8, '0')}-7d3b-4a90-8f1e-2c6b5a4d3e01`,
      title: `Unusual activity, pattern ${n % 97}`,
      description:
        'A process that no workload of this node accounts for has been seen; it did not end when the job that owns the device did.',
      type: n % 3 === 0 ? 'unknown_binary_exec' : 'gpu_memory',
      severity: ['critical', 'high', 'medium', 'low', 'info'][pseudoRandom(n, 5)],
      created_at: new Date(endMs - (alerts - n) * ALERT_INTERVAL_MS).toISOString(),
      hostname: hostOf(n % IMPORTED_GPUS),
      gpu_id: gpuId(n % IMPORTED_GPUS),
      resource_details: {
        process_details: {
          title: 'python3',
          process_name: 'python3',
          pid: n,
          start_time: new Date(endMs - alerts * ALERT_INTERVAL_MS).toISOString(),
          current_status: 'running',
          last_modified: '',
          parent_process_pid: 1,
          command_line: 'python3 train.py --epochs 3',
        },
      },
    });
}

/** Generates events of Falco's JSON output, the last at `endMs`. */
export function* falcoLines(alerts: number, endMs: number): Generator<string> {
  for (let n = 0; n < alerts; n++) {
    const atMs = endMs - (alerts - n) * ALERT_INTERVAL_MS;
    const time = new Date(atMs).toISOString().replace('Z', `${String(n % 1_000_000).padStart(6, '0')}Z`);
    yield JSON.stringify({
      hostname: hostOf(n % IMPORTED_GPUS),
      output: `${time}: Notice A shell was spawned in a container with an attached terminal (user=root container=${n % 997})`,
      priority: ['Critical', 'Error', 'Warning', 'Notice'][pseudoRandom(n, 4)],
      rule: 'Terminal shell in container',
      source: 'syscall',
      tags: ['container', 'mitre_execution', 'shell'],
      time,
      output_fields: {
        'container.id': `5892b41b${String(n % 997).padStart(4, '0')}`,
        'container.image.repository': 'docker.io/library/alpine',
        'container.name': 'worker',
        'evt.time': atMs * 1e6,
        'evt.type': 'execve',
        'k8s.ns.name': 'default',
        'k8s.pod.name': `worker-${n % 997}`,
        'proc.cmdline': 'sh -c uptime',
        'proc.cwd': '/root/',
        'proc.exepath': '/bin/busybox',
        'proc.name': 'sh',
        'proc.pid': n,
        'proc.pid.ts': (atMs - 1_000) * 1e6,
        'proc.pname': 'runc',
        'proc.ppid': 4700,
        'thread.tid': n,
      },
    });
  }
}
