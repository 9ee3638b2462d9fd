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

/** Values of a board by field number; null when blank. */
export type FieldValues = ReadonlyMap<number, number | null>;

/** Fields of the sample and of the inventory of a board. */
export interface BoardRecord {
  readings: GpuReadings;
  inventory: GpuInventory;
}

/**
 * Applies the rules between fields of a board, and stores the values in records: which fallback is used, and how total memory is
 * computed.
 */
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
    // Without a series of the total, it is free + used + reserved memory: free needs used memory, and reserved needs both.
    const hasTotal = !this.isBlank(FRAMEBUFFER_TOTAL);
    if (number === FRAMEBUFFER_FREE) return hasTotal || this.isBlank(FRAMEBUFFER_USED);
    if (number === FRAMEBUFFER_RESERVED)
      return hasTotal || this.isBlank(FRAMEBUFFER_USED) || this.isBlank(FRAMEBUFFER_FREE);
    // Of the preferred field and its fallbacks, the first in the table with a value is used.
    const used = this.format.fields.find(
      (other) =>
        (other.number === fallbackFor || other.fallbackFor === fallbackFor) && !this.isBlank(other.number),
    );
    return used !== field;
  }

  /** Stores a value in the field `recordField` of the readings or the inventory. */
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
        readings.memory_total_mib = this.totalMemory(field, value) ?? readings.memory_total_mib ?? null;
        break;
      default:
        // The other fields are numeric readings. A blank field does not replace the value of another field.
        (readings as Record<string, GpuReadings[keyof GpuReadings]>)[field.recordField] =
          value ?? readings[field.recordField as keyof GpuReadings] ?? null;
    }
  }

  /** Returns the total memory from a field: its value, or the sum of the parts for free memory. Null if blank or too small. */
  private totalMemory({ number }: ExporterField, value: number | null): number | null {
    // Reserved memory is counted with free memory below.
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
