import { HOUR_MS, MINUTE_MS } from '@gpu-observatory/domain-types';
import { fault, type Fault } from '../telemetry/faults.ts';
import { type ClaimHost, type Story, type Texts } from './story.ts';

interface Stage {
  /** Hours before the end of the history. */
  hours: number;
  fault: Fault;
  alert: Texts;
}

const stages: Stage[] = [
  {
    hours: 27,
    fault: fault(
      'degraded',
      'row_remap_pending',
      63,
      'Row remapping event: a row is remapped at the next reset',
    ),
    alert: {
      type: 'gpu_ecc',
      severity: 'medium',
      title: 'Row remapping pending on {model}',
      description: '{gpu} remaps a memory row at its next reset. Drain {host} and reset the GPU.',
      steps: [
        ['gpu_telemetry', 'correctable ECC errors of one memory bank grow'],
        ['xid_check', 'XID 63 in the kernel log'],
        ['xid_check', 'row remapping is pending until the next reset'],
      ],
    },
  },
  {
    hours: 11,
    fault: fault('degraded', 'single_bit_errors', 92, 'High single-bit ECC error rate'),
    alert: {
      type: 'gpu_ecc',
      severity: 'high',
      title: 'Rate of correctable ECC errors is rising',
      description: '{gpu} corrects 6 single-bit errors a minute. It was not reset since its row remapping.',
      steps: [
        ['gpu_telemetry', '40 single-bit errors corrected within a minute'],
        ['xid_check', 'XID 92 in the kernel log'],
        ['gpu_telemetry', 'utilization {percent} %, {celsius} C, {watts} W'],
      ],
    },
  },
  {
    hours: 2.6,
    fault: fault('critical', 'double_bit_errors', 48, 'DBE (double bit error) ECC error detected'),
    alert: {
      type: 'gpu_ecc',
      severity: 'critical',
      title: 'Uncorrectable ECC error',
      description:
        '{gpu} on {host} reported two double-bit ECC errors. Results of {process} since then cannot be trusted: restart it elsewhere and reset the GPU.',
      steps: [
        ['gpu_telemetry', 'correctable ECC errors above 3,000 since the driver was loaded'],
        ['xid_check', 'XID 48 in the kernel log: double-bit error'],
        ['gpu_telemetry', '2 uncorrectable ECC errors'],
        ['gpu_context', 'compute context of {process} continues on {gpu}'],
      ],
    },
  },
  {
    hours: 0.6,
    fault: fault('missing', 'no_data', 79, 'GPU has fallen off the bus.'),
    alert: {
      type: 'gpu_pcie',
      severity: 'critical',
      title: 'GPU has fallen off the bus',
      description:
        '{gpu} no longer answers on PCIe after XID 79. Restart {host}; if the GPU does not return, replace it. It reported XID 63, 92 and 48 before.',
      steps: [
        ['gpu_telemetry', 'PCIe link trained down to x8'],
        ['xid_check', 'XID 79 in the kernel log: GPU has fallen off the bus'],
        ['process_exit', '{process} ended with signal 6: CUDA error 999'],
        ['gpu_telemetry', 'no readings from {gpu}'],
      ],
    },
  },
];

/** A GPU whose memory wears out: row remapping, correctable and uncorrectable errors, then it falls off the bus. */
export function failingGpu(now: number, claim: ClaimHost): Story | undefined {
  const host = claim(
    ({ model, xidSource }) => model.hasRowRemapping && model.hasNvlink && xidSource !== 'none',
  );
  const gpu = host?.gpus.at(-1);
  if (!gpu) return undefined;
  const startOf = ({ hours }: Stage) => Math.round(now - hours * HOUR_MS);
  return {
    incidents: stages.map((stage, i) => ({
      gpu,
      fault: stage.fault,
      start: startOf(stage),
      end: i + 1 < stages.length ? startOf(stages[i + 1]!) : now + 20 * HOUR_MS,
    })),
    alerts: stages.map((stage) => ({ ...stage.alert, at: startOf(stage) + MINUTE_MS, host: gpu.host, gpu })),
  };
}
