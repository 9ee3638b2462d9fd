import { MIN_MEMORY_MIB } from '../../records/limits.ts';
import type { GpuReadings } from '../../records/gpu-readings.ts';
import type { GpuInventory } from '../../records/records.ts';
import { cudaVersion } from '../dcgm/cuda-version.ts';
import { addVerdict } from '../source-verdict.ts';
import {
  type ExporterField,
  FRAMEBUFFER_FREE,
  FRAMEBUFFER_RESERVED,
  FRAMEBUFFER_TOTAL,
  FRAMEBUFFER_USED,
} from './exporter-field.ts';
import type { ExporterFormat } from './exporter-format.ts';

/** Values of a board by field number; null: blank. */
export type FieldValues = ReadonlyMap<number, number | null>;

/** The fields of the records of a board. */
export interface BoardRecord {
  readings: GpuReadings;
  inventory: GpuInventory;
}

/** Rules between the fields of one board: which values are used, and in which field of a record. */
export class FieldRules {
  constructor(
    private readonly format: ExporterFormat,
    private readonly values: FieldValues,
  ) {}

  /** Returns why the value of a field cannot be used, or null. */
  fault({ number }: ExporterField): string | null {
    return number === FRAMEBUFFER_USED || number === FRAMEBUFFER_TOTAL ? this.contradiction() : null;
  }

  /** Returns whether a fallback field is not needed. Of several alternatives, the first in the table is used. */
  isUnused(field: ExporterField): boolean {
    if (field.fallbackFor === undefined) return false;
    // Without a total, it is the sum of free, used and reserved memory.
    if (field.number === FRAMEBUFFER_FREE && this.isBlank(FRAMEBUFFER_USED)) return true;
    if (field.number === FRAMEBUFFER_RESERVED)
      return (
        [FRAMEBUFFER_FREE, FRAMEBUFFER_USED].some((part) => this.isBlank(part)) ||
        !this.isBlank(FRAMEBUFFER_TOTAL)
      );
    for (const other of this.format.fields) {
      if (other === field) return false;
      const isAlternative = other.number === field.fallbackFor || other.fallbackFor === field.fallbackFor;
      if (isAlternative && !this.isBlank(other.number)) return true;
    }
    return false;
  }

  /** Sets the field of the record to a value. */
  assign(field: ExporterField, value: number | null, { readings, inventory }: BoardRecord): void {
    switch (field.recordField) {
      case 'row_remap_failed':
      case 'row_remap_pending':
        readings[field.recordField] = value === null ? null : value > 0;
        break;
      case 'source_health': {
        const verdict = value === null ? null : (field.verdictOf?.(value) ?? null);
        if (verdict !== null) addVerdict(readings, verdict);
        break;
      }
      case 'nvlink_errors_total':
        // The sum of all kinds of errors; null only when all are blank.
        readings.nvlink_errors_total =
          value === null
            ? (readings.nvlink_errors_total ?? null)
            : (readings.nvlink_errors_total ?? 0) + value;
        break;
      case 'mig_enabled':
        if (value !== null) inventory.mig_enabled = value > 0;
        break;
      case 'compute_stack': {
        const version = cudaVersion(value ?? Number.NaN);
        if (version !== undefined) inventory.compute_stack = version;
        break;
      }
      case 'slowdown_temperature_c':
      case 'shutdown_temperature_c':
      case 'memory_temperature_limit_c':
        if (value !== null) inventory[field.recordField] = value;
        break;
      default:
        // A blank field does not replace the value of another field.
        (readings as Record<string, GpuReadings[keyof GpuReadings]>)[field.recordField] =
          this.converted(field, value) ?? readings[field.recordField as keyof GpuReadings] ?? null;
    }
  }

  private converted({ number }: ExporterField, value: number | null): number | null {
    if (value === null) return null;
    if (number === FRAMEBUFFER_FREE) {
      const reserved = this.values.get(FRAMEBUFFER_RESERVED) ?? 0;
      const total = value + (this.values.get(FRAMEBUFFER_USED) as number) + reserved;
      return total < MIN_MEMORY_MIB ? null : total;
    }
    // Counted with the free memory.
    return number === FRAMEBUFFER_RESERVED ? null : value;
  }

  /** Returns a fault when used and total memory contradict each other; neither is used then. */
  private contradiction(): string | null {
    const used = this.values.get(FRAMEBUFFER_USED) ?? null;
    const total = this.values.get(FRAMEBUFFER_TOTAL) ?? null;
    return used !== null && total !== null && used > total
      ? `${this.nameOf(FRAMEBUFFER_USED)} of ${used} is more than ${this.nameOf(FRAMEBUFFER_TOTAL)} of ${total}: neither is used`
      : null;
  }

  private isBlank(number: number): boolean {
    return (this.values.get(number) ?? null) === null;
  }

  private nameOf(number: number): string {
    return (this.format.fieldByNumber.get(number) as ExporterField).names[0];
  }
}
