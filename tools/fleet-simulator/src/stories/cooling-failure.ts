import { HOUR_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import { programs } from '../telemetry/programs.ts';
import { type ClaimHost, type ScriptedAlert, type Story, type Texts } from './story.ts';

/** Two neighboring hosts of a rack lose their cooling under load; the upper one becomes too hot. */
export function coolingFailure(now: number, claim: ClaimHost): Story | undefined {
  const upper = claim(({ model, workload }) => model.hasNvlink && workload === 'training');
  const lower = upper && claim((host) => host.model.hasNvlink && host.workspaceName === upper.workspaceName);
  if (!upper || !lower) return undefined;
  const start = now - 95 * MINUTE_MS;
  const end = now + 3 * HOUR_MS;
  const heat = (host: typeof upper, celsius: number) => ({ host, start, end, celsius });
  const alert = (minutes: number, host: typeof upper, texts: Texts): ScriptedAlert => ({
    ...texts,
    at: now - minutes * MINUTE_MS,
    host,
    gpu: host.gpus[0] ?? null,
  });
  const warming = {
    type: 'gpu_thermal',
    severity: 'medium',
    title: 'Temperature of {model} rises faster than its load',
    description:
      'All GPUs of {host} became 12 C hotter in ten minutes at constant load: check the airflow and the coolant of its rack.',
    steps: [
      ['gpu_telemetry', 'utilization {percent} %, {celsius} C, {watts} W'],
      ['gpu_telemetry', 'inlet air 9 C above its mean of the last day'],
      ['gpu_telemetry', 'temperatures of all GPUs of {host} rise together'],
    ],
  } as const;
  return {
    heat: [heat(upper, 27), heat(lower, 17)],
    jobs: [upper, lower].flatMap(({ gpus }) =>
      gpus.map((gpu) => ({
        gpu,
        start: now - 9 * HOUR_MS,
        end: now + 6 * HOUR_MS,
        program: programs.training[0]!,
        utilizationPct: 97,
        memoryFraction: 0.91,
        pid: 51_200 + gpu.index,
      })),
    ),
    alerts: [
      alert(72, upper, warming),
      alert(70, lower, warming),
      alert(58, upper, {
        type: 'gpu_throttle',
        severity: 'high',
        title: 'Repeated thermal slowdown on {host}',
        description:
          '{gpu} lowers its clocks every few seconds. Its temperature is above the slowdown limit.',
        steps: [
          ['gpu_telemetry', '{celsius} C, above the slowdown temperature'],
          ['gpu_telemetry', 'software thermal slowdown: SM clock at 55 % of its boost'],
          ['xid_check', 'no new XID in the kernel log'],
        ],
      }),
      alert(34, upper, {
        type: 'gpu_thermal',
        severity: 'critical',
        title: 'GPU temperature near shutdown',
        description:
          '{gpu} on {host} reads {celsius} C, within 3 C of the temperature at which it shuts down. Stop the job or restore the cooling of the rack.',
        steps: [
          ['gpu_telemetry', 'temperature has risen for an hour at constant load'],
          ['gpu_telemetry', 'software thermal slowdown'],
          ['gpu_telemetry', '{celsius} C, shutdown within 3 C'],
        ],
      }),
    ],
  };
}
