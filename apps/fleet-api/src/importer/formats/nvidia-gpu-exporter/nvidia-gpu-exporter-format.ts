import { FIELD_BY_NAME as DCGM_FIELD_BY_NAME } from '../dcgm/dcgm-fields.ts';
import type { ExporterField } from '../exporters/exporter-field.ts';
import { type ExporterFormat, fieldsByName, fieldsByNumber } from '../exporters/exporter-format.ts';
import { describeGpu } from '../dcgm/gpu-labels.ts';
import type { Labels } from '../exporters/labels.ts';
import { FAULTS, faultFlag } from '../source-verdict.ts';

// Factors from the unit of the series to that of the reading.
const RATIO_TO_PERCENT = 100;
const BYTES_TO_MIB = 1 / 1_048_576;
const HERTZ_TO_MEGAHERTZ = 1e-6;
const BYTES_TO_MEGABYTES = 1e-6;
const JOULES_TO_MILLIJOULES = 1_000;

/** Series by the DCGM field with the same reading. */
const SERIES: Record<string, { names: [string, ...string[]]; scale?: number }> = {
  DCGM_FI_DEV_GPU_UTIL: { names: ['nvidia_smi_utilization_gpu_ratio'], scale: RATIO_TO_PERCENT },
  DCGM_FI_DEV_FB_USED: { names: ['nvidia_smi_memory_used_bytes'], scale: BYTES_TO_MIB },
  DCGM_FI_DEV_FB_TOTAL: { names: ['nvidia_smi_memory_total_bytes'], scale: BYTES_TO_MIB },
  DCGM_FI_DEV_GPU_TEMP: { names: ['nvidia_smi_temperature_gpu'] },
  DCGM_FI_DEV_MEMORY_TEMP: { names: ['nvidia_smi_temperature_memory'] },
  DCGM_FI_DEV_POWER_USAGE: { names: ['nvidia_smi_power_draw_watts'] },
  DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION: {
    names: ['nvidia_smi_energy_joules_total'],
    scale: JOULES_TO_MILLIJOULES,
  },
  DCGM_FI_DEV_ENFORCED_POWER_LIMIT: { names: ['nvidia_smi_enforced_power_limit_watts'] },
  DCGM_FI_DEV_POWER_MGMT_LIMIT: { names: ['nvidia_smi_power_limit_watts'] },
  DCGM_FI_DEV_FAN_SPEED: { names: ['nvidia_smi_fan_speed_ratio'], scale: RATIO_TO_PERCENT },
  DCGM_FI_DEV_SM_CLOCK: { names: ['nvidia_smi_clocks_current_sm_clock_hz'], scale: HERTZ_TO_MEGAHERTZ },
  DCGM_FI_DEV_MEM_CLOCK: { names: ['nvidia_smi_clocks_current_memory_clock_hz'], scale: HERTZ_TO_MEGAHERTZ },
  DCGM_FI_DEV_CLOCK_THROTTLE_REASONS: {
    names: ['nvidia_smi_clocks_event_reasons_active', 'nvidia_smi_clocks_throttle_reasons_active'],
  },
  DCGM_FI_DEV_ECC_SBE_VOL_TOTAL: { names: ['nvidia_smi_ecc_errors_corrected_volatile_total'] },
  DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: { names: ['nvidia_smi_ecc_errors_uncorrected_volatile_total'] },
  DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS: { names: ['nvidia_smi_remapped_rows_uncorrectable'] },
  DCGM_FI_DEV_ROW_REMAP_FAILURE: { names: ['nvidia_smi_remapped_rows_failure'] },
  DCGM_FI_DEV_ROW_REMAP_PENDING: { names: ['nvidia_smi_remapped_rows_pending'] },
  DCGM_FI_PROF_PCIE_TX_BYTES: {
    names: ['nvidia_smi_pcie_throughput_tx_bytes_per_second'],
    scale: BYTES_TO_MEGABYTES,
  },
  DCGM_FI_PROF_PCIE_RX_BYTES: {
    names: ['nvidia_smi_pcie_throughput_rx_bytes_per_second'],
    scale: BYTES_TO_MEGABYTES,
  },
  DCGM_FI_DEV_MIG_MODE: { names: ['nvidia_smi_mig_mode_current'] },
  DCGM_FI_DEV_POWER_USAGE_INSTANT: { names: ['nvidia_smi_power_draw_instant_watts'] },
  DCGM_FI_DEV_RETIRED_PENDING: { names: ['nvidia_smi_retired_pages_pending'] },
  DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION: { names: ['nvidia_smi_gpu_recovery_action'] },
  DCGM_FI_DEV_THRESHOLD_SRM: {
    names: ['nvidia_smi_ecc_errors_uncorrected_aggregate_sram_threshold_exceeded'],
  },
};
/** The fields of DCGM, with the names, scales and limits of these series. */
const READINGS: readonly ExporterField[] = Object.entries(SERIES).map(([dcgmName, { names, scale }]) => {
  // The exporter has no series of MIG instances.
  const { instances: _instances, ...field } = DCGM_FIELD_BY_NAME.get(dcgmName) as ExporterField;
  if (scale === undefined) return { ...field, names };
  const { min, max, scale: dcgmScale = 1 } = field;
  const toSeriesUnit = (limit: number) => (limit * dcgmScale) / scale;
  return { ...field, names, scale, min: toSeriesUnit(min), max: toSeriesUnit(max) };
});
/** Internal number: DCGM has no such field. */
const FIRST_RESET_STATUS = 20_000;
/** Flags of drivers before 570. */
const RESET_STATUS: readonly ExporterField[] = (
  [
    ['reset_required', FAULTS.resetRequired],
    ['drain_and_reset_recommended', FAULTS.resetRecommended],
  ] as const
).map(([name, fault], index) => ({
  number: FIRST_RESET_STATUS + index,
  names: [`nvidia_smi_reset_status_${name}`],
  recordField: 'source_health',
  min: 0,
  max: 1,
  whole: true,
  verdictOf: faultFlag(fault),
}));
const FIELDS = [...READINGS, ...RESET_STATUS];
const FIELD_BY_NAME = fieldsByName(FIELDS);

/** Known series that are not stored and report no fault of a GPU (the exporter's METRICS.md, nvidia-smi --help-query-gpu). */
const IGNORED = new RegExp(
  `^nvidia_smi_(?:${[
    '(?:accounting|addressing|c2c|compute|count|display|driver|encoder|fabric|gom|gpu_part|gsp|index|inforom|kmd|mig|name)\\w*',
    '(?:module|nvml|pci|persistence|platform|protected_memory|pstate|serial|uuid|vbios|vgpu|board|dramEncryption|conf)\\w*',
    '(?:command_exit_code|failed_scrapes_total|last_collect\\w*|edpp_multiplier\\w*|temperature_gpu_tlimit|xid_errors_total)',
    '(?:clocks_(?:applications|current|default|event_reasons|max|throttle_reasons)|power|memory|utilization)_\\w+',
    'ecc_(?:mode|errors)_\\w+|remapped_rows_(?:correctable|(?:un)?correctable_inactive|histogram_\\w+)|retired_pages_\\w+|pcie_\\w+',
  ].join('|')})$`,
);

/** Format of the metrics page of nvidia_gpu_exporter (https://github.com/utkuozdemir/nvidia_gpu_exporter/blob/master/docs/METRICS.md). */
export const NVIDIA_GPU_EXPORTER_FORMAT: ExporterFormat = {
  exporter: 'nvidia_gpu_exporter',
  adapter: 'nvidia-gpu-exporter',
  vendor: 'NVIDIA',
  series: /^nvidia_smi_/,
  fields: FIELDS,
  fieldByNumber: fieldsByNumber(FIELDS),
  fieldOf: (series) => FIELD_BY_NAME.get(series),
  isIgnored: (series) => IGNORED.test(series),
  infoSeries: 'nvidia_smi_gpu_info',
  xidTimeSeries: 'nvidia_smi_xid_last_timestamp_seconds',
  isBlank: (value) => !Number.isFinite(value),
  describe: (labels, hosts) => describeGpu(toDcgmLabels(labels), hosts),
  partOf: () => ({ instance: '', slices: 1 }),
};

/** Converts the labels to those of dcgm-exporter. The exporter strips the prefix of UUIDs, which is part of the GPU's id. */
function toDcgmLabels({ uuid = '', ...labels }: Labels): Labels {
  return {
    ...labels,
    UUID: uuid === '' || uuid.startsWith('GPU-') ? uuid : `GPU-${uuid}`,
    pci_bus_id: withoutPlaceholder(labels.pci_bus_id),
    modelName: withoutPlaceholder(labels.name),
    DCGM_FI_DRIVER_VERSION: withoutPlaceholder(labels.driver_version),
    DCGM_FI_DEV_VBIOS_VERSION: withoutPlaceholder(labels.vbios_version),
    DCGM_FI_DEV_SERIAL: withoutPlaceholder(labels.serial),
    ...dcgmCudaVersion(labels.cuda_version),
  };
}

function withoutPlaceholder(text = ''): string {
  return /^\[?N\/A\]?$/.test(text) ? '' : text;
}

/** Returns the CUDA version as the label of dcgm-exporter: 12.1 is 12010. */
function dcgmCudaVersion(version = ''): Labels {
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(version) ?? [];
  if (major === undefined) return {};
  return { DCGM_FI_CUDA_DRIVER_VERSION: `${1_000 * Number(major) + 10 * Number(minor)}` };
}
