import type { AlertTemplate } from '../alert-kind.ts';

/** Alert types about the GPU hardware. */
export const gpuHardware = {
  gpu_power: {
    frequency: 4,
    severities: [0, 2, 4, 4, 2],
    titles: ['GPU power draw out of range', 'Power limit of {model} was changed'],
    descriptions: [
      '{gpu} on {host} draws {watts} W at {percent} % utilization, far from what this kind of job needs.',
      'The power limit of {gpu} was set to {watts} W by {user} outside a change window.',
    ],
    commands: ['nvidia-smi -pl 700', 'dcgmi config --set -P 500', 'nvidia-smi -lgc 1980'],
  },
  gpu_pcie: {
    frequency: 3,
    severities: [0, 2, 4, 4, 1],
    titles: ['PCIe replays growing', 'PCIe link of {model} trained down'],
    descriptions: [
      '{gpu} counts {count} PCIe replays a minute. Check the riser and the slot on {host}.',
      'The link of {gpu} runs at x8 instead of x16 since the last restart of {host}.',
    ],
    commands: [],
    symptoms: ['pcie_replays'],
  },
  gpu_thermal: {
    frequency: 6,
    severities: [2, 3, 4, 3, 1],
    titles: ['GPU temperature near its limit', 'Temperature of {model} rises faster than its load'],
    descriptions: [
      '{gpu} on {host} reads {celsius} C, within reach of the temperature at which it slows down.',
      'Temperature of {gpu} rose by {count} C in ten minutes at constant load: airflow in the chassis of {host} may be blocked.',
    ],
    commands: [],
    sections: ['workload_details'],
    symptoms: ['near_shutdown', 'beyond_slowdown'],
  },
  gpu_throttle: {
    frequency: 6,
    severities: [0, 2, 5, 4, 1],
    titles: ['GPU clocks throttled', 'Repeated thermal slowdown on {host}'],
    descriptions: [
      '{gpu} entered slowdown {count} times in ten minutes while {process} was running.',
      'The {model} in {host} runs {percent} % below its boost clock because of a hardware slowdown.',
    ],
    commands: [],
    symptoms: ['throttling', 'near_shutdown'],
  },
  gpu_ecc: {
    frequency: 4,
    severities: [3, 3, 3, 2, 1],
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
    commands: [],
    sections: ['memory_details'],
    symptoms: ['double_bit_errors', 'single_bit_errors', 'row_remap_pending', 'row_remap_failed'],
  },
  gpu_nvlink: {
    frequency: 2,
    severities: [2, 4, 3, 1, 0],
    titles: ['NVLink errors between GPUs', 'NVLink is down on {host}'],
    descriptions: [
      'CRC and replay errors on NVLink of {gpu} grow by {count} a minute. Collective operations on {host} will stall.',
      'Link 3 of {gpu} went down while {process} was training over all GPUs of {host}.',
    ],
    commands: [],
    sections: ['workload_details'],
    symptoms: ['nvlink_errors'],
  },
} satisfies Record<string, AlertTemplate>;
