import {
  type BoardPart,
  type Description,
  type ExporterFormat,
  fieldsByName,
  fieldsByNumber,
  type HostNames,
} from '../exporters/exporter-format.ts';
import type { ExporterField } from '../exporters/exporter-field.ts';
import { gpuIdOf, hostOf, inventoryOf } from '../exporters/gpu-identity.ts';
import type { Labels } from '../exporters/labels.ts';
import { workloadOf } from '../exporters/workload-labels.ts';
import { AMD_FIELDS, MEMORY_CLOCK, SYSTEM_CLOCK } from './amd-fields.ts';

/** Series of the exporter, with the prefix `amd_` or without. */
const SERIES = /^(?:amd_)?(?:gpu|pcie|xgmi)_/i;
const FIELD_BY_NAME = fieldsByName(AMD_FIELDS);
const FIELD_BY_NUMBER = fieldsByNumber(AMD_FIELDS);
/** Known series that are not stored: parts of sums, corrected errors, profiler counters. */
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
 * Format of the metrics page of AMD's device-metrics-exporter
 * (https://instinct.docs.amd.com/projects/device-metrics-exporter/en/latest/configuration/metricslist.html).
 */
export const AMD_FORMAT: ExporterFormat = {
  exporter: 'AMD device-metrics-exporter',
  adapter: 'amd',
  vendor: 'AMD',
  series: SERIES,
  fields: AMD_FIELDS,
  fieldByNumber: FIELD_BY_NUMBER,
  fieldOf: amdFieldOf,
  isIgnored: (series) => IGNORED.test(series),
  isBlank: (value) => !Number.isFinite(value),
  describe,
  workloadOf: (labels) => workloadOf(withLowerCaseNames(labels)),
  partOf,
};

/** Values of the label `clock_type`, which have a prefix before version 1.4.2. */
const CLOCK_TYPE = /^(?:GPU_CLOCK_TYPE_)?(system|memory)$/i;

/** Returns the field of a line. For `gpu_clock` it depends on the label `clock_type`, for `gpu_afid_errors` on `severity`. */
function amdFieldOf(series: string, labels: Labels): ExporterField | undefined {
  const name = series.toLowerCase().replace(/^amd_/, '');
  if (name === 'gpu_afid_errors') return FIELD_BY_NAME.get(`${name} (${afidSeverity(labels)})`);
  if (name !== 'gpu_clock') return FIELD_BY_NAME.get(name);
  const clock = CLOCK_TYPE.exec(labelOf(labels, 'clock_type') ?? '')?.[1]?.toLowerCase();
  if (clock === undefined) return undefined;
  return FIELD_BY_NUMBER.get(clock === 'system' ? SYSTEM_CLOCK : MEMORY_CLOCK);
}

/**
 * Returns id and inventory of the GPU. Partitions of a board share its UUID and serial number, so they are one GPU, as MIG
 * instances are.
 */
function describe(labels: Labels, hosts: HostNames): Description {
  const host = hostOf(labels, hosts);
  const number = labelOf(labels, 'gpu_id');
  const serial = labelOf(labels, 'serial_number');
  // The exporter has no label for the PCI address; operators can add one.
  const pci = labelOf(labels, 'pci_bus_id') ?? labelOf(labels, 'pcie_bus_id');
  const slot = pci ?? (number === undefined ? undefined : `gpu-${number}`);
  // Distinguishes partitions only where the board has no UUID or serial number.
  const guest = isPartitioned(labels) ? labelOf(labels, 'gpu_partition_id') : undefined;
  const identity = gpuIdOf({ uuid: labelOf(labels, 'gpu_uuid'), serial, host, slot, guest });
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

/** Returns whether the line is about a partition. The partition type SPX is the whole board. */
function isPartitioned(labels: Labels): boolean {
  const type = labelOf(labels, 'gpu_compute_partition_type')?.toLowerCase();
  return type !== undefined && !['spx', 'none', 'na'].includes(type);
}

/**
 * Returns what distinguishes the lines of one series on a board: the partition, the clock (`clock_index`) and the RAS event
 * (`afid_index`). No AMD field is weighted by slices, so `slices` is 1.
 */
function partOf(labels: Labels): BoardPart {
  const partition = isPartitioned(labels) ? labelOf(labels, 'gpu_partition_id') : undefined;
  const parts = [partition, labelOf(labels, 'clock_index'), labelOf(labels, 'afid_index')];
  return { instance: parts.filter((part) => part !== undefined).join('/'), slices: 1 };
}

/** Returns the severity of a RAS event, as in the names of `AMD_FIELDS`. `corrected` has no field: such lines are ignored. */
function afidSeverity(labels: Labels): string {
  const severity = labelOf(labels, 'severity') ?? '';
  // Not "uncorrected".
  if (/(?<!un)corrected/i.test(severity)) return 'corrected';
  // Not "non-fatal".
  return /(?<!non[-_ ]?)fatal/i.test(severity) ? 'fatal' : 'other';
}

/** Returns the labels with lower-case names (see `labelOf`). */
function withLowerCaseNames(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Returns the value of a label, or undefined if it is empty. Before version 1.1, the exporter wrote names in upper case. */
function labelOf(labels: Labels, name: string): string | undefined {
  return labels[name] || labels[name.toUpperCase()] || undefined;
}
