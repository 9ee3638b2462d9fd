import type { ExporterFormat } from '../exporters/exporter-format.ts';
import { workloadOf } from '../exporters/workload-labels.ts';
import { isBlank } from './blank.ts';
import { DCGM_FIELDS, dcgmFieldOf, FIELD_BY_NUMBER } from './dcgm-fields.ts';
import { describeGpu } from './gpu-labels.ts';
import { isIgnoredSeries } from './ignored-series.ts';

/** Format of the metrics page of dcgm-exporter. */
export const DCGM_FORMAT: ExporterFormat = {
  exporter: 'dcgm-exporter',
  adapter: 'dcgm',
  vendor: 'NVIDIA',
  series: /^dcgm_/i,
  fields: DCGM_FIELDS,
  fieldByNumber: FIELD_BY_NUMBER,
  fieldOf: dcgmFieldOf,
  isIgnored: isIgnoredSeries,
  isBlank,
  describe: describeGpu,
  workloadOf,
  partOf: ({ GPU_I_ID = '', GPU_I_PROFILE = '1', xid }) => ({
    // The series of XID counts has a line per code; they are combined as the lines of instances are.
    instance: xid ? `${GPU_I_ID} XID ${xid}` : GPU_I_ID,
    // A profile such as 3g.40gb begins with its compute slices.
    slices: Number.parseInt(GPU_I_PROFILE, 10) || 1,
  }),
};
