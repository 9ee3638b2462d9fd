import { type ExporterField, UTILIZATION_RATIO } from './exporter-field.ts';
import type { ExporterFormat } from './exporter-format.ts';
import type { PrometheusSample } from './prometheus-line.ts';

/** Returns the value of a sample in the unit of its field, null when it is blank, or why it is invalid. */
export function exporterValue(
  format: ExporterFormat,
  field: ExporterField,
  sample: PrometheusSample,
): { value: number | null } | { fault: string } {
  const { name } = sample;
  const { min, max, whole = false, scale, zero } = field;
  const value = field.readLine === undefined ? sample.value : field.readLine(sample);
  if (value === null || format.isBlank(value, whole) || (value === 0 && zero === 'blank'))
    return { value: null };
  if (value < min || value > max) return { fault: `${name} of ${value} is not between ${min} and ${max}` };
  if (scale !== undefined) {
    const decimals = whole ? 1 : 1e6;
    return { value: Math.round(value * scale * decimals) / decimals };
  }
  if (whole && !Number.isInteger(value)) return { fault: `${name} of ${value} is not an integer` };
  return field.number === UTILIZATION_RATIO ? utilization(name, value) : { value };
}

/** Returns percent. In one release of DCGM the series is a percentage, in another a ratio up to 1. */
function utilization(name: string, value: number): { value: number } | { fault: string } {
  if (value === 1)
    return {
      fault: `${name} of 1 is ambiguous: 1 % in one release of DCGM and 100 % in another; export DCGM_FI_DEV_GPU_UTIL`,
    };
  return { value: value > 1 ? value : Math.round(value * 1e6) / 1e4 };
}
