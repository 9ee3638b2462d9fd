import { DAY_MS, HOUR_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import type { Host } from '../fleet/fleet.ts';
import { fault } from '../telemetry/faults.ts';
import type { TimelineStep } from '../alerts/timeline-scripts.ts';
import type { ClaimHost, Story } from './story.ts';

const MAX_UPGRADED = 5;
/** Hosts per daily maintenance window. */
const HOSTS_PER_WINDOW = 3;
/** Time without data while the driver is replaced. */
const OUTAGE_MS = 11 * MINUTE_MS;
const FAILED_AGO_MS = 52 * MINUTE_MS;

const LOADED: TimelineStep = ['process_exec', 'kernel module loaded'];

/**
 * A driver upgrade, a few hosts per day. It stopped at the last host, whose kernel module does not load, so the other
 * hosts of these models still have the old driver.
 */
export function driverUpgrade(now: number, claim: ClaimHost): Story | undefined {
  const isUpgraded = ({ model, gpus }: Host) =>
    model.hasNvlink &&
    model.driverVersions.length > 1 &&
    gpus[0]?.driverVersion === model.driverVersions.at(-1);
  const failed = claim(isUpgraded);
  if (!failed) return undefined;
  const upgraded = Array.from({ length: MAX_UPGRADED }, () =>
    claim((host) => host.model === failed.model && isUpgraded(host)),
  ).filter((host) => host !== undefined);
  const times = upgraded.map((host, n) => ({
    host,
    at: now - Math.floor(n / HOSTS_PER_WINDOW) * DAY_MS - (3 + (n % HOSTS_PER_WINDOW)) * HOUR_MS,
  }));
  const outages = [
    ...times.map(({ host, at }) => ({ host, start: at, end: at + OUTAGE_MS })),
    { host: failed, start: now - FAILED_AGO_MS, end: now + 5 * HOUR_MS },
  ];
  const [from, to] = [failed.model.driverVersions[0]!, failed.model.driverVersions.at(-1)!];
  const drained: TimelineStep[] = [
    ['api_request', 'node {host} drained by deploy: 200'],
    [
      'process_exec',
      'driver package installed',
      `apt-get install -y nvidia-driver-${to.split('.')[0]}-server`,
    ],
  ];
  return {
    incidents: outages.flatMap(({ host, start, end }) =>
      host.gpus.map((gpu) => ({ gpu, fault: fault('missing', 'no_data'), start, end })),
    ),
    alerts: [
      ...times.map(({ host, at }) => ({
        at: at + OUTAGE_MS,
        host,
        gpu: null,
        type: 'gpu_driver_access' as const,
        severity: 'info' as const,
        title: `Driver upgraded from ${from} to ${to}`,
        description: `The NVIDIA kernel modules of {host} were replaced by deploy in a maintenance window.`,
        command: 'modprobe nvidia',
        steps: [...drained, LOADED],
      })),
      {
        at: now - FAILED_AGO_MS + 6 * MINUTE_MS,
        host: failed,
        gpu: null,
        type: 'kernel_oops',
        severity: 'critical',
        title: 'NVIDIA kernel module does not load',
        description: `After the upgrade from ${from} to ${to}, modprobe nvidia fails on {host} and its GPUs no longer report. The upgrade of the other hosts is paused.`,
        command: 'modprobe nvidia',
        steps: [
          ...drained,
          ['process_exec', 'modprobe failed: Exec format error'],
          ['kernel_log', 'nvidia: version magic does not match the running kernel'],
        ],
      },
    ],
  };
}
