import { AMD_FORMAT } from '../amd/amd-format.ts';
import { DCGM_FORMAT } from '../dcgm/dcgm-format.ts';
import { NVIDIA_GPU_EXPORTER_FORMAT } from '../nvidia-gpu-exporter/nvidia-gpu-exporter-format.ts';
import type { ExporterFormat } from './exporter-format.ts';

/** Formats of all exporters with an adapter. */
export const EXPORTER_FORMATS: readonly ExporterFormat[] = [
  DCGM_FORMAT,
  AMD_FORMAT,
  NVIDIA_GPU_EXPORTER_FORMAT,
];

/** Returns the format of the exporter that writes a series, stored or not; undefined if it is unknown. */
export function exporterOf(series: string): ExporterFormat | undefined {
  return EXPORTER_FORMATS.find(
    (known) => known.fieldOf(series, {}) !== undefined || known.series.test(series),
  );
}
