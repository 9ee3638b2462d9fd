import type { AlertTemplate } from '../alert-kind.ts';

/** Alert types about the GPU hardware. */
export const gpuHardware = {
  gpu_power: {
    severities: [0, 7, 13, 13, 7],
    titles: ['GPU power draw out of range', 'Power limit of {model} was changed'],
    descriptions: [
      '{gpu} on {host} draws {watts} W at {percent} % utilization, far from what this kind of job needs.',
      'The power limit of {gpu} was set to {watts} W by {user} outside a change window.',
    ],
    commands: ['nvidia-smi -pl 700', 'dcgmi config --set -P 500'],
  },
  gpu_pcie: {
    severities: [0, 5, 11, 11, 3],
    titles: ['PCIe replays growing', 'PCIe link of {model} trained down'],
    descriptions: [
      '{gpu} counts {count} PCIe replays a minute. Check the riser and the slot on {host}.',
      'The link of {gpu} runs at x8 instead of x16 since the last restart of {host}.',
    ],
    symptoms: ['pcie_replays'],
  },
  gpu_thermal: {
    severities: [9, 14, 18, 14, 5],
    titles: ['GPU temperature near its limit', 'Temperature of {model} rises faster than its load'],
    descriptions: [
      '{gpu} on {host} reads {celsius} C, within reach of the temperature at which it slows down.',
      'Temperature of {gpu} rose by {count} C in ten minutes at constant load: airflow in the chassis of {host} may be blocked.',
    ],
    symptoms: ['near_shutdown', 'beyond_slowdown'],
  },
  gpu_throttle: {
    severities: [0, 10, 25, 20, 5],
    titles: ['GPU clocks throttled', 'Repeated thermal slowdown on {host}'],
    descriptions: [
      '{gpu} entered slowdown {count} times in ten minutes while {process} was running.',
      'The {model} in {host} runs {percent} % below its boost clock because of a hardware slowdown.',
    ],
    symptoms: ['throttling', 'near_shutdown'],
  },
  gpu_ecc: {
    severities: [10, 10, 10, 7, 3],
    titles: [
      'Uncorrectable ECC error',
      'Rate of correctable ECC errors is rising',
      'Row remapping pending on {model}',
    ],
    descriptions: [
      '{gpu} reported a double-bit ECC error. Results of {process} since then cannot be trusted.',
      '{gpu} corrected {count} single-bit errors within the hour.',
      '{gpu} remaps a memory row at its next reset. Drain {host} and reset the GPU.',
    ],
    symptoms: ['double_bit_errors', 'single_bit_errors', 'row_remap_pending', 'row_remap_failed'],
  },
  gpu_nvlink: {
    severities: [4, 8, 6, 2, 0],
    titles: ['NVLink errors between GPUs', 'NVLink is down on {host}'],
    descriptions: [
      'CRC and replay errors on NVLink of {gpu} grow by {count} a minute. Collective operations on {host} will stall.',
      'Link 3 of {gpu} went down while {process} was training over all GPUs of {host}.',
    ],
    symptoms: ['nvlink_errors'],
  },
} satisfies Record<string, AlertTemplate>;
