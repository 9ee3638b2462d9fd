import { isBlank } from './blank.ts';
import { DCGM_FIELDS, FIELD_BY_NAME, FIELD_BY_NUMBER } from './dcgm-fields.ts';
import type { ExporterFormat } from '../exporters/exporter-format.ts';
import { gpuIdentity, inventoryOf } from './gpu-labels.ts';
import { IGNORED_SERIES } from './ignored-series.ts';
import type { Labels } from '../exporters/prometheus-line.ts';
import { workloadOf } from '../exporters/workload-labels.ts';

/** The page of dcgm-exporter. */
export const DCGM_FORMAT: ExporterFormat = {
  exporter: 'dcgm-exporter',
  adapter: 'dcgm',
  vendor: 'NVIDIA',
  series: /^dcgm_/i,
  fields: DCGM_FIELDS,
  fieldByNumber: FIELD_BY_NUMBER,
  fieldOf: (series) => FIELD_BY_NAME.get(series),
  isDefaultSeries: (series) => IGNORED_SERIES.has(series),
  isBlank,
  describe(labels, host) {
    const hasHost = host === undefined || Boolean(labels.Hostname ?? labels.hostname);
    const completed: Labels = hasHost ? labels : { ...labels, Hostname: host };
    const identity = gpuIdentity(completed);
    if ('fault' in identity) return identity;
    const described = inventoryOf(completed);
    if ('fault' in described) return described;
    const { inventory } = described;
    if (labels.GPU_I_ID) inventory.mig_enabled = true;
    return { ...identity, inventory };
  },
  workloadOf,
  partOf: ({ GPU_I_ID = '', GPU_I_PROFILE = '1' }) => ({
    instance: GPU_I_ID,
    slices: Number.parseInt(GPU_I_PROFILE, 10) || 1,
  }),
};
