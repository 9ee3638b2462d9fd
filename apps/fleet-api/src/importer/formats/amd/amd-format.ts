import { MAX_MILLIJOULES, MAX_SUMMED_COUNTER, MIN_MEMORY_MIB } from '../../records/limits.ts';
import {
  type ExporterField,
  FRAMEBUFFER_FREE,
  FRAMEBUFFER_TOTAL,
  FRAMEBUFFER_USED,
  UTILIZATION,
} from '../exporters/exporter-field.ts';
import {
  type Description,
  type ExporterFormat,
  fieldsByName,
  fieldsByNumber,
  type HostNames,
} from '../exporters/exporter-format.ts';
import { gpuIdOf, hostOf, inventoryOf } from '../exporters/gpu-identity.ts';
import type { Labels } from '../exporters/labels.ts';
import { workloadOf } from '../exporters/workload-labels.ts';
import { faultFlag } from '../source-verdict.ts';

// The exporter writes 0 for what a platform or a partition does not have.
const memory = { min: 0, max: 1e9, instances: 'add up' } as const;
const total = { ...memory, min: MIN_MEMORY_MIB, zero: 'blank' } as const;
/** The first partition has the activity of the board, and the others 0. */
const percent = { min: 0, max: 100, instances: 'largest' } as const;
const celsius = { min: -100, max: 300, instances: 'largest', zero: 'blank' } as const;
/** Below 65,535, which the driver returns for unknown values. */
const watts = { min: 0, max: 20_000, instances: 'largest', zero: 'blank' } as const;
const megahertz = { min: 0, max: 20_000, instances: 'mean', zero: 'blank' } as const;
const eccCount = { min: 0, max: MAX_SUMMED_COUNTER, whole: true, instances: 'add up' } as const;
const stated = { recordField: 'source_health', min: 0, max: 1e9, whole: true, instances: 'largest' } as const;

const SYSTEM_CLOCK = 100;
const MEMORY_CLOCK = 101;
const EDGE_TEMPERATURE = 10_150;
const AVERAGE_POWER = 10_155;
const POWER_USAGE = 11_155;
const USAGE = 10_203;
const HEALTH = 20_000;
const AFID = 20_001;

/** The value of the label clock_type has a prefix before version 1.4.2. */
const CLOCK_TYPE = /^(?:GPU_CLOCK_TYPE_)?(system|memory)$/i;

/** Series of device-metrics-exporter, without the configurable prefix, in lower case. */
const FIELDS: readonly ExporterField[] = [
  { number: UTILIZATION, names: ['gpu_gfx_activity'], recordField: 'utilization_pct', ...percent },
  // Releases before 1.1.
  {
    number: USAGE,
    names: ['gpu_usage'],
    recordField: 'utilization_pct',
    ...percent,
    fallbackFor: UTILIZATION,
  },
  { number: FRAMEBUFFER_USED, names: ['gpu_used_vram'], recordField: 'memory_used_mib', ...memory },
  {
    number: FRAMEBUFFER_TOTAL,
    names: ['gpu_total_vram', 'gpu_total_memory'],
    recordField: 'memory_total_mib',
    ...total,
  },
  {
    number: FRAMEBUFFER_FREE,
    names: ['gpu_free_vram'],
    recordField: 'memory_total_mib',
    ...memory,
    fallbackFor: FRAMEBUFFER_TOTAL,
  },
  { number: 150, names: ['gpu_junction_temperature'], recordField: 'temperature_c', ...celsius },
  {
    number: EDGE_TEMPERATURE,
    names: ['gpu_edge_temperature'],
    recordField: 'temperature_c',
    ...celsius,
    fallbackFor: 150,
  },
  { number: 140, names: ['gpu_memory_temperature'], recordField: 'memory_temperature_c', ...celsius },
  {
    number: 1004,
    names: ['gpu_prof_tensor_active_percent'],
    recordField: 'tensor_active_pct',
    ...percent,
  },
  { number: 1005, names: ['gpu_umc_activity'], recordField: 'dram_active_pct', ...percent },
  {
    // In microjoules.
    number: 156,
    names: ['gpu_energy_consumed'],
    recordField: 'energy_millijoules_total',
    min: 0,
    max: 1_000 * MAX_MILLIJOULES,
    whole: true,
    scale: 1e-3,
    instances: 'largest',
    zero: 'blank',
  },
  { number: 155, names: ['gpu_package_power'], recordField: 'power_draw_w', ...watts },
  {
    number: AVERAGE_POWER,
    names: ['gpu_average_package_power'],
    recordField: 'power_draw_w',
    ...watts,
    fallbackFor: 155,
  },
  {
    number: POWER_USAGE,
    names: ['gpu_power_usage'],
    recordField: 'power_draw_w',
    ...watts,
    fallbackFor: 155,
  },
  { number: SYSTEM_CLOCK, names: ['gpu_clock'], recordField: 'sm_clock_mhz', ...megahertz },
  { number: MEMORY_CLOCK, names: ['gpu_clock (memory)'], recordField: 'memory_clock_mhz', ...megahertz },
  { number: 310, names: ['gpu_ecc_correct_total'], recordField: 'ecc_single_bit_total', ...eccCount },
  { number: 311, names: ['gpu_ecc_uncorrect_total'], recordField: 'ecc_double_bit_total', ...eccCount },
  {
    number: 202,
    names: ['pcie_replay_count'],
    recordField: 'pcie_replays_total',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    whole: true,
    instances: 'largest',
  },
  {
    number: HEALTH,
    names: ['gpu_health'],
    ...stated,
    readLine: ({ value }) => (value === 0 ? 1 : 0),
    verdictOf: faultFlag({ health: 'critical', text: 'the exporter reports the GPU as unhealthy' }),
  },
  ...(['fatal', 'other'] as const).map((severity, index): ExporterField => ({
    number: AFID + index,
    names: [`gpu_afid_errors (${severity})`],
    ...stated,
    zero: 'blank',
    verdictOf: (afid) => ({
      health: severity === 'fatal' ? 'critical' : 'degraded',
      text: `the last RAS event has AMD Field ID (AFID) ${afid}`,
    }),
  })),
];
/** With `amd_` or without a prefix. */
const SERIES = /^(?:amd_)?(?:gpu|pcie|xgmi)_/i;
const FIELD_BY_NAME = fieldsByName(FIELDS);
/** Known series without a field that state no fault of a GPU: parts of sums, corrected errors, counters of the profiler. */
const IGNORED = new RegExp(
  `^(?:amd_)?(?:${[
    'gpu_(?:nodes_total|afid_errors|clock|min_clock|max_clock|gfx_voltage|memory_voltage|voltage|hbm_temperature)',
    'gpu_(?:prof|violation|xgmi|process)_\\w+',
    'gpu_(?:gfx|vcn|jpeg|mma)_(?:activity|busy_instantaneous)|gpu_vram_max_bandwidth',
    'gpu_(?:total|used|free)_(?:gtt|visible_vram)',
    'gpu_ecc_(?:correct|uncorrect|deferred)_\\w+',
    'pcie_\\w+|xgmi_\\w+',
  ].join('|')})$`,
  'i',
);

/**
 * The page of AMD's device-metrics-exporter
 * (https://instinct.docs.amd.com/projects/device-metrics-exporter/en/latest/configuration/metricslist.html).
 */
export const AMD_FORMAT: ExporterFormat = {
  exporter: 'AMD device-metrics-exporter',
  adapter: 'amd',
  vendor: 'AMD',
  series: SERIES,
  fields: FIELDS,
  fieldByNumber: fieldsByNumber(FIELDS),
  fieldOf(series, labels) {
    const name = series.toLowerCase().replace(/^amd_/, '');
    if (name === 'gpu_afid_errors') return FIELD_BY_NAME.get(`${name} (${afidSeverity(labels)})`);
    if (name !== 'gpu_clock') return FIELD_BY_NAME.get(name);
    const [, clock = ''] = CLOCK_TYPE.exec(labelOf(labels, 'clock_type') ?? '') ?? [];
    const number = { system: SYSTEM_CLOCK, memory: MEMORY_CLOCK }[clock.toLowerCase()];
    return number === undefined ? undefined : this.fieldByNumber.get(number);
  },
  isIgnored: (series) => IGNORED.test(series),
  isBlank: (value) => !Number.isFinite(value),
  describe,
  workloadOf: (labels) =>
    workloadOf(
      Object.fromEntries(Object.entries(labels).map(([name, value]) => [name.toLowerCase(), value])),
    ),
  partOf,
};

/** Partitions of a board are one GPU, as MIG instances are: they share its UUID and serial number. */
function describe(labels: Labels, hosts: HostNames): Description {
  const host = hostOf(labels, hosts);
  const number = labelOf(labels, 'gpu_id');
  const serial = labelOf(labels, 'serial_number');
  // The exporter has no label for the PCI address; operators can add one.
  const pci = labelOf(labels, 'pci_bus_id') ?? labelOf(labels, 'pcie_bus_id');
  const slot = pci ?? (number === undefined ? undefined : `gpu-${number}`);
  const identity = gpuIdOf({
    uuid: labelOf(labels, 'gpu_uuid'),
    serial,
    host,
    slot,
    guest: isPartitioned(labels) ? labelOf(labels, 'gpu_partition_id') : undefined,
  });
  if ('fault' in identity) return identity;
  const described = inventoryOf({
    model: labelOf(labels, 'card_series') ?? labelOf(labels, 'card_model'),
    driver_version: labelOf(labels, 'driver_version'),
    firmware_version: labelOf(labels, 'vbios_version'),
    serial_no: serial,
    pcie_address: pci,
    hostname: host,
    compute_stack: 'ROCm',
  });
  return 'fault' in described ? described : { ...identity, ...described };
}

function isPartitioned(labels: Labels): boolean {
  const type = labelOf(labels, 'gpu_compute_partition_type')?.toLowerCase();
  return type !== undefined && !['spx', 'none', 'na'].includes(type);
}

/** Returns the partition, chip or event of a line; the chips of a partition are those of the board. */
function partOf(labels: Labels): { instance: string; slices: number } {
  const partition = isPartitioned(labels) ? labelOf(labels, 'gpu_partition_id') : undefined;
  const parts = [partition, labelOf(labels, 'clock_index'), labelOf(labels, 'afid_index')];
  return { instance: parts.filter((part) => part !== undefined).join('/'), slices: 1 };
}

/** Returns the kind of a RAS event; one that was corrected has no field. */
function afidSeverity(labels: Labels): string {
  const severity = labelOf(labels, 'severity') ?? '';
  if (/(?<!un)corrected/i.test(severity)) return 'corrected';
  return /(?<!non[-_ ]?)fatal/i.test(severity) ? 'fatal' : 'other';
}

/** Returns a label, whose name was in upper case before version 1.1; undefined if it is empty. */
function labelOf(labels: Labels, name: string): string | undefined {
  return labels[name] || labels[name.toUpperCase()] || undefined;
}
