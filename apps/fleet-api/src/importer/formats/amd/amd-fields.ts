import { MAX_MILLIJOULES, MAX_SUMMED_COUNTER, MIN_MEMORY_MIB } from '../../records/limits.ts';
import {
  type ExporterField,
  field,
  FRAMEBUFFER_FREE,
  FRAMEBUFFER_TOTAL,
  FRAMEBUFFER_USED,
  UTILIZATION,
} from '../exporters/exporter-field.ts';
import { faultFlag } from '../source-verdict.ts';

// `zero: 'blank'`: the exporter writes 0 for a reading that the platform or the partition does not have.
const memory = { min: 0, max: 1e9, instances: 'add up' } as const;
const total = { ...memory, min: MIN_MEMORY_MIB, zero: 'blank' } as const;
/** The first partition reports the activity of the board, and the others report 0. */
const percent = { min: 0, max: 100, instances: 'largest' } as const;
const celsius = { min: -100, max: 300, instances: 'largest', zero: 'blank' } as const;
/** The maximum is below 65,535, which the driver returns for unknown values. */
const watts = { min: 0, max: 20_000, instances: 'largest', zero: 'blank' } as const;
const megahertz = { min: 0, max: 20_000, instances: 'mean', zero: 'blank' } as const;
const eccCount = { min: 0, max: MAX_SUMMED_COUNTER, whole: true, instances: 'add up' } as const;
const health = { recordField: 'source_health', min: 0, max: 1e9, whole: true, instances: 'largest' } as const;

// Fields of the series `gpu_clock`, selected by its label `clock_type`.
export const SYSTEM_CLOCK = 100;
export const MEMORY_CLOCK = 101;
const JUNCTION_TEMPERATURE = 150;
const PACKAGE_POWER = 155;
// Internal numbers, because DCGM has no such fields: further series of a reading, and the health of AMD GPUs.
const EDGE_TEMPERATURE = 10_150;
const AVERAGE_POWER = 10_155;
const POWER_USAGE = 11_155;
const USAGE = 10_203;
const HEALTH = 20_000;
const AFID_BY_SEVERITY = { fatal: 20_001, other: 20_002 } as const;

/**
 * Series of device-metrics-exporter, in lower case and without the configurable prefix. Parentheses contain the label value that
 * selects the field: a clock or a severity.
 */
export const AMD_FIELDS: readonly ExporterField[] = [
  field(UTILIZATION, 'utilization_pct', percent, ['gpu_gfx_activity']),
  // Series of releases before 1.1.
  field(USAGE, 'utilization_pct', { ...percent, fallbackFor: UTILIZATION }, ['gpu_usage']),
  field(FRAMEBUFFER_USED, 'memory_used_mib', memory, ['gpu_used_vram']),
  field(FRAMEBUFFER_TOTAL, 'memory_total_mib', total, ['gpu_total_vram', 'gpu_total_memory']),
  field(FRAMEBUFFER_FREE, 'memory_total_mib', { ...memory, fallbackFor: FRAMEBUFFER_TOTAL }, [
    'gpu_free_vram',
  ]),
  field(JUNCTION_TEMPERATURE, 'temperature_c', celsius, ['gpu_junction_temperature']),
  field(EDGE_TEMPERATURE, 'temperature_c', { ...celsius, fallbackFor: JUNCTION_TEMPERATURE }, [
    'gpu_edge_temperature',
  ]),
  field(140, 'memory_temperature_c', celsius, ['gpu_memory_temperature']),
  field(1004, 'tensor_active_pct', percent, ['gpu_prof_tensor_active_percent']),
  field(1005, 'dram_active_pct', percent, ['gpu_umc_activity']),
  // The series is in microjoules.
  field(
    156,
    'energy_millijoules_total',
    { min: 0, max: 1_000 * MAX_MILLIJOULES, whole: true, scale: 1e-3, instances: 'largest', zero: 'blank' },
    ['gpu_energy_consumed'],
  ),
  field(PACKAGE_POWER, 'power_draw_w', watts, ['gpu_package_power']),
  field(AVERAGE_POWER, 'power_draw_w', { ...watts, fallbackFor: PACKAGE_POWER }, [
    'gpu_average_package_power',
  ]),
  field(POWER_USAGE, 'power_draw_w', { ...watts, fallbackFor: PACKAGE_POWER }, ['gpu_power_usage']),
  field(SYSTEM_CLOCK, 'sm_clock_mhz', megahertz, ['gpu_clock']),
  field(MEMORY_CLOCK, 'memory_clock_mhz', megahertz, ['gpu_clock (memory)']),
  field(310, 'ecc_single_bit_total', eccCount, ['gpu_ecc_correct_total']),
  field(311, 'ecc_double_bit_total', eccCount, ['gpu_ecc_uncorrect_total']),
  field(
    202,
    'pcie_replays_total',
    { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true, instances: 'largest' },
    ['pcie_replay_count'],
  ),
  {
    number: HEALTH,
    names: ['gpu_health'],
    ...health,
    readLine: ({ value }) => (value === 0 ? 1 : 0),
    verdictOf: faultFlag({ health: 'critical', text: 'the exporter reports the GPU as unhealthy' }),
  },
  ...(['fatal', 'other'] as const).map((severity): ExporterField => ({
    number: AFID_BY_SEVERITY[severity],
    names: [`gpu_afid_errors (${severity})`],
    ...health,
    zero: 'blank',
    verdictOf: (afid) => ({
      health: severity === 'fatal' ? 'critical' : 'degraded',
      text: `the last RAS event has AMD Field ID (AFID) ${afid}`,
    }),
  })),
];
