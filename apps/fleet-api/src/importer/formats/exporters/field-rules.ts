import { MIN_MEMORY_MIB } from '../../records/limits.ts';
import type { GpuReadings, ReadingName } from '../../records/gpu-readings.ts';
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

/** Values of a board by field number; null when blank. */
export type FieldValues = ReadonlyMap<number, number | null>;

type NumericReading = {
  [Name in ReadingName]: NonNullable<GpuReadings[Name]> extends number ? Name : never;
}[ReadingName];

/** Readings and inventory of a board, which `assign` changes. */
export interface BoardRecord {
  readings: GpuReadings;
  inventory: GpuInventory;
}

/**
 * Fields that are added to one of these parts of total memory, if the page has no total: total = free + used + reserved. A part is
 * not used without them.
 */
const OTHER_PARTS_OF_TOTAL: ReadonlyMap<number, readonly number[]> = new Map([
  [FRAMEBUFFER_FREE, [FRAMEBUFFER_USED]],
  [FRAMEBUFFER_RESERVED, [FRAMEBUFFER_USED, FRAMEBUFFER_FREE]],
]);

/** Rules between the fields of a board: which values contradict each other or are not needed, and how a value is stored. */
export class FieldRules {
  constructor(
    private readonly format: ExporterFormat,
    private readonly values: FieldValues,
  ) {}

  /** Returns why the value of a field contradicts another field, or null. */
  faultOf({ number }: ExporterField): string | null {
    return number === FRAMEBUFFER_USED || number === FRAMEBUFFER_TOTAL ? this.memoryFault() : null;
  }

  /**
   * Returns whether a fallback is superseded by a preferred field, or lacks the fields that it is added to.
   *
   * @param field a field with a value
   */
  isUnused(field: ExporterField): boolean {
    const { number, fallbackFor } = field;
    if (fallbackFor === undefined) return false;
    const otherParts = OTHER_PARTS_OF_TOTAL.get(number);
    if (otherParts !== undefined)
      return !this.isBlank(FRAMEBUFFER_TOTAL) || otherParts.some((part) => this.isBlank(part));
    // Of the preferred field and its fallbacks, the first in the table with a value is used.
    const used = this.format.fields.find(
      (other) =>
        (other.number === fallbackFor || other.fallbackFor === fallbackFor) && !this.isBlank(other.number),
    );
    return used !== field;
  }

  /**
   * Stores a value in the field `recordField` of the readings or the inventory. Several fields may have the same `recordField`: a
   * blank one does not replace the value of another.
   */
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
      case 'memory_total_mib':
        setNumber(readings, 'memory_total_mib', this.totalMemory(field, value));
        break;
      default:
        // No exporter has fields for the others, which are not numbers.
        setNumber(readings, field.recordField as NumericReading, value);
    }
  }

  /**
   * Returns the total memory from a field: its value, or the sum of the parts for free memory. Null if the field is blank, if the sum
   * is too small, and for reserved memory, which the sum contains.
   */
  private totalMemory({ number }: ExporterField, value: number | null): number | null {
    if (value === null || number === FRAMEBUFFER_RESERVED) return null;
    if (number !== FRAMEBUFFER_FREE) return value;
    const used = this.values.get(FRAMEBUFFER_USED) ?? 0;
    const reserved = this.values.get(FRAMEBUFFER_RESERVED) ?? 0;
    const total = value + used + reserved;
    return total < MIN_MEMORY_MIB ? null : total;
  }

  /** Returns a fault when used memory exceeds total memory. Neither value is then used. */
  private memoryFault(): string | null {
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

/** Sets a reading, unless the value is blank and the reading is set already. */
function setNumber(readings: GpuReadings, name: NumericReading, value: number | null): void {
  readings[name] = value ?? readings[name] ?? null;
}
