import { DCGM_FIELDS } from '../dcgm/dcgm-fields.ts';
import type { ExporterField } from '../exporters/exporter-field.ts';
import { type ExporterFormat, fieldsByName, fieldsByNumber } from '../exporters/exporter-format.ts';
import { gpuIdentity, inventoryOf } from '../dcgm/gpu-labels.ts';
import type { Labels } from '../exporters/prometheus-line.ts';

const PERCENT = 100;
const MIB = 1 / 1_048_576;
const MEGAHERTZ = 1e-6;
const MEGABYTES = 1e-6;
const MILLIJOULES = 1_000;

/** Series, by the number of the DCGM field with the same reading. */
const SERIES: [number: number, names: [string, ...string[]], scale?: number][] = [
  [203, ['nvidia_smi_utilization_gpu_ratio'], PERCENT],
  [252, ['nvidia_smi_memory_used_bytes'], MIB],
  [250, ['nvidia_smi_memory_total_bytes'], MIB],
  [150, ['nvidia_smi_temperature_gpu']],
  [140, ['nvidia_smi_temperature_memory']],
  [155, ['nvidia_smi_power_draw_watts']],
  [156, ['nvidia_smi_energy_joules_total'], MILLIJOULES],
  [164, ['nvidia_smi_enforced_power_limit_watts']],
  [160, ['nvidia_smi_power_limit_watts']],
  [191, ['nvidia_smi_fan_speed_ratio'], PERCENT],
  [100, ['nvidia_smi_clocks_current_sm_clock_hz'], MEGAHERTZ],
  [101, ['nvidia_smi_clocks_current_memory_clock_hz'], MEGAHERTZ],
  [112, ['nvidia_smi_clocks_event_reasons_active', 'nvidia_smi_clocks_throttle_reasons_active']],
  [310, ['nvidia_smi_ecc_errors_corrected_volatile_total']],
  [311, ['nvidia_smi_ecc_errors_uncorrected_volatile_total']],
  [393, ['nvidia_smi_remapped_rows_uncorrectable']],
  [395, ['nvidia_smi_remapped_rows_failure']],
  [396, ['nvidia_smi_remapped_rows_pending']],
  [1009, ['nvidia_smi_pcie_throughput_tx_bytes_per_second'], MEGABYTES],
  [1010, ['nvidia_smi_pcie_throughput_rx_bytes_per_second'], MEGABYTES],
  [67, ['nvidia_smi_mig_mode_current']],
];
const SMI_SERIES = /^nvidia_smi_/;
const FIELDS: readonly ExporterField[] = SERIES.map(([number, names, scale]) => {
  const { instances: _instances, ...field } = DCGM_FIELDS.find(
    (known) => known.number === number,
  ) as ExporterField;
  if (scale === undefined) return { ...field, names };
  const [min = 0, max = 0] = [field.min, field.max].map((limit) => (limit * (field.scale ?? 1)) / scale);
  return { ...field, names, scale, min, max };
});
const FIELD_BY_NAME = fieldsByName(FIELDS);

/** The page of nvidia_gpu_exporter (https://github.com/utkuozdemir/nvidia_gpu_exporter/blob/master/docs/METRICS.md). */
export const NVIDIA_GPU_EXPORTER_FORMAT: ExporterFormat = {
  exporter: 'nvidia_gpu_exporter',
  adapter: 'nvidia-gpu-exporter',
  vendor: 'NVIDIA',
  series: SMI_SERIES,
  fields: FIELDS,
  fieldByNumber: fieldsByNumber(FIELDS),
  fieldOf: (series) => FIELD_BY_NAME.get(series),
  isDefaultSeries: (series) => SMI_SERIES.test(series),
  infoSeries: 'nvidia_smi_gpu_info',
  isBlank: (value) => !Number.isFinite(value),
  describe(labels, host) {
    const dcgmLabels = toDcgmLabels(labels, host);
    const identity = gpuIdentity(dcgmLabels);
    if ('fault' in identity) return identity;
    const described = inventoryOf(dcgmLabels);
    return 'fault' in described ? described : { ...identity, inventory: described.inventory };
  },
  partOf: () => ({ instance: '', slices: 1 }),
};

/** The exporter strips the prefix of UUIDs. With it, the GPU is the same as in other sources. */
function toDcgmLabels({ uuid = '', ...labels }: Labels, host: string | undefined): Labels {
  const known = (text: string | undefined) => (text === undefined || /^\[?N\/A\]?$/.test(text) ? '' : text);
  const [, major = '', minor = ''] = /^(\d+)\.(\d+)$/.exec(labels.cuda_version ?? '') ?? [];
  return {
    UUID: uuid === '' || uuid.startsWith('GPU-') ? uuid : `GPU-${uuid}`,
    Hostname: labels.hostname ?? labels.Hostname ?? host ?? '',
    pci_bus_id: known(labels.pci_bus_id),
    modelName: known(labels.name),
    DCGM_FI_DRIVER_VERSION: known(labels.driver_version),
    DCGM_FI_DEV_VBIOS_VERSION: known(labels.vbios_version),
    DCGM_FI_DEV_SERIAL: known(labels.serial),
    ...(major === '' ? {} : { DCGM_FI_CUDA_DRIVER_VERSION: `${1_000 * Number(major) + 10 * Number(minor)}` }),
  };
}
