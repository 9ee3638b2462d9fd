import { type ExporterField, UTILIZATION_RATIO } from './exporter-field.ts';
import type { ExporterFormat } from './exporter-format.ts';
import type { PrometheusSample } from './prometheus-line.ts';

type ExporterValue = { value: number | null } | { fault: string };

/** Returns the value of a sample in the unit of its record field, null when it is blank, or the reason that it is invalid. */
export function exporterValue(
  format: ExporterFormat,
  field: ExporterField,
  sample: PrometheusSample,
): ExporterValue {
  const { name } = sample;
  const { min, max, whole = false, scale, zero } = field;
  const value = field.readLine === undefined ? sample.value : field.readLine(sample);
  if (value === null || format.isBlank(value, whole) || (value === 0 && zero === 'blank'))
    return { value: null };
  if (value < min || value > max) return { fault: `${name} of ${value} is not between ${min} and ${max}` };
  if (scale !== undefined) {
    // Rounds to 6 decimals, because the multiplication adds noise.
    const factor = whole ? 1 : 1e6;
    return { value: Math.round(value * scale * factor) / factor };
  }
  if (whole && !Number.isInteger(value)) return { fault: `${name} of ${value} is not an integer` };
  // A percentage or a ratio, depending on the release of DCGM.
  return field.number === UTILIZATION_RATIO ? utilization(name, value) : { value };
}

/** Returns percent with 4 decimals. @param value a percentage in one release of DCGM, a ratio up to 1 in another */
function utilization(name: string, value: number): ExporterValue {
  if (value === 1)
    return {
      fault: `${name} of 1 is ambiguous: 1 % in one release of DCGM and 100 % in another; export DCGM_FI_DEV_GPU_UTIL`,
    };
  return { value: value > 1 ? value : Math.round(value * 1e6) / 1e4 };
}
