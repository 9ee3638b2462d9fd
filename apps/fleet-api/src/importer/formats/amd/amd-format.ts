import {
  GPU_ID_BYTES,
  HOSTNAME_LENGTH,
  MAX_MILLIJOULES,
  MAX_SUMMED_COUNTER,
  MIN_MEMORY_MIB,
  NAME_LENGTH,
} from '../../records/limits.ts';
import type { ExporterField } from '../exporters/exporter-field.ts';
import {
  type Description,
  type ExporterFormat,
  fieldsByName,
  fieldsByNumber,
} from '../exporters/exporter-format.ts';
import type { Labels } from '../exporters/prometheus-line.ts';
import { workloadOf } from '../exporters/workload-labels.ts';

const memory = { min: 0, max: 1e9 };
const celsius = { min: -100, max: 300 };
/** Below 65,535, which the driver returns for unknown values. */
const watts = { min: 0, max: 20_000 };
const megahertz = { min: 0, max: 20_000, instances: 'mean' } as const;
const eccCount = { min: 0, max: MAX_SUMMED_COUNTER, whole: true } as const;

const SYSTEM_CLOCK = 100;
const MEMORY_CLOCK = 101;
const EDGE_TEMPERATURE = 10_150;
const AVERAGE_POWER = 10_155;
const POWER_USAGE = 11_155;

/** The value of the label clock_type has a prefix before version 1.4.2. */
const CLOCK_TYPE = /^(?:GPU_CLOCK_TYPE_)?(system|memory)$/i;

/** Series of device-metrics-exporter, without the configurable prefix, in lower case. */
const FIELDS: readonly ExporterField[] = [
  { number: 203, names: ['gpu_gfx_activity'], recordField: 'utilization_pct', min: 0, max: 100 },
  { number: 252, names: ['gpu_used_vram'], recordField: 'memory_used_mib', ...memory },
  { number: 250, names: ['gpu_total_vram'], recordField: 'memory_total_mib', ...memory, min: MIN_MEMORY_MIB },
  { number: 251, names: ['gpu_free_vram'], recordField: 'memory_total_mib', ...memory, fallbackFor: 250 },
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
    min: 0,
    max: 100,
  },
  { number: 1005, names: ['gpu_umc_activity'], recordField: 'dram_active_pct', min: 0, max: 100 },
  {
    // In microjoules.
    number: 156,
    names: ['gpu_energy_consumed'],
    recordField: 'energy_millijoules_total',
    min: 0,
    max: 1_000 * MAX_MILLIJOULES,
    whole: true,
    scale: 1e-3,
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
  },
];
/** With `amd_` or without a prefix. */
const SERIES = /^(?:amd_)?(?:gpu|pcie|xgmi)_/i;
const FIELD_BY_NAME = fieldsByName(FIELDS);

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
  fieldOf: (series) => FIELD_BY_NAME.get(series.toLowerCase().replace(/^amd_/, '')),
  isDefaultSeries: (series) => SERIES.test(series),
  fieldOfLine(series, labels) {
    const type = labelOf(labels, 'clock_type');
    if (!/gpu_clock$/i.test(series)) return this.fieldOf(series);
    const [, clock = ''] = CLOCK_TYPE.exec(type ?? '') ?? [];
    const number = { system: SYSTEM_CLOCK, memory: MEMORY_CLOCK }[clock.toLowerCase()];
    return number === undefined ? undefined : this.fieldByNumber.get(number);
  },
  isBlank: (value) => !Number.isFinite(value),
  describe,
  workloadOf: (labels) =>
    workloadOf(
      Object.fromEntries(Object.entries(labels).map(([name, value]) => [name.toLowerCase(), value])),
    ),
  partOf: (labels) => ({ instance: labelOf(labels, 'clock_index') ?? '', slices: 1 }),
};

function describe(labels: Labels, defaultHost: string | undefined): Description {
  const host = labelOf(labels, 'hostname') ?? defaultHost;
  const number = labelOf(labels, 'gpu_id');
  // The exporter has no label for the PCI address; operators can add one.
  const pci = labelOf(labels, 'pci_bus_id') ?? labelOf(labels, 'pcie_bus_id');
  const slot = pci ?? (number === undefined ? undefined : `gpu-${number}`);
  if (host === undefined || slot === undefined)
    return { fault: 'the labels identify no GPU: they must have hostname and gpu_id' };
  const partition = labelOf(labels, 'gpu_compute_partition_type')?.toLowerCase();
  const isPartitioned = partition !== undefined && !['spx', 'none', 'na'].includes(partition);
  const gpuId = `${host}|${slot}|${isPartitioned ? (labelOf(labels, 'gpu_partition_id') ?? '') : ''}`;
  if (gpuId.split('|').length !== 3)
    return { fault: 'the labels identify no GPU: host, PCI address and partition must not contain |' };
  if (Buffer.byteLength(gpuId) > GPU_ID_BYTES)
    return { fault: `the id of the GPU is longer than ${GPU_ID_BYTES} bytes` };
  const inventory = {
    model: labelOf(labels, 'card_series') ?? labelOf(labels, 'card_model'),
    driver_version: labelOf(labels, 'driver_version'),
    firmware_version: labelOf(labels, 'vbios_version'),
    serial_no: labelOf(labels, 'serial_number'),
    pcie_address: pci,
    hostname: host,
    compute_stack: 'ROCm',
  };
  for (const [field, value] of Object.entries(inventory)) {
    const maxLength = field === 'hostname' ? HOSTNAME_LENGTH : NAME_LENGTH;
    if (value !== undefined && (value.length > maxLength || value.includes('\0')))
      return { fault: `the ${field} in the labels is longer than ${maxLength} or contains a NUL character` };
  }
  return {
    gpuId,
    inventory: Object.fromEntries(Object.entries(inventory).filter(([, value]) => value !== undefined)),
  };
}

/** Returns a label, whose name was in upper case before version 1.1; undefined if it is empty. */
function labelOf(labels: Labels, name: string): string | undefined {
  return labels[name] || labels[name.toUpperCase()] || undefined;
}
