import { MIN_MEMORY_MIB } from '../../records/limits.ts';
import type { GpuInventory, GpuReadings } from '../../records/records.ts';
import type { Line } from '../../run/lines.ts';
import { cudaVersion } from '../dcgm/cuda-version.ts';
import type { ExporterFormat } from './exporter-format.ts';
import {
  type ExporterField,
  FRAMEBUFFER_FREE,
  FRAMEBUFFER_RESERVED,
  FRAMEBUFFER_TOTAL,
  FRAMEBUFFER_USED,
  XID,
} from './exporter-field.ts';
import type { Workload } from './workload-labels.ts';

interface Value {
  value: number | null;
  lines: Line[];
  /** Compute slices of the MIG instance. */
  slices: number;
}

/** Readings of a GPU, the lines they were read from, and the lines that were not used because of others. */
export interface ReadGpu {
  readings: GpuReadings;
  inventory: GpuInventory;
  workloads: Workload[];
  lines: Line[];
  superseded: { line: Line; fault: string }[];
  /** Number of lines of fallback fields that are not needed. */
  unused: number;
}

/** Values of the board by field number; null: blank. */
type Values = ReadonlyMap<number, number | null>;

function isBlank(values: Values, number: number): boolean {
  return (values.get(number) ?? null) === null;
}

/** Key of the whole board, in place of the number of a MIG instance. */
const BOARD = '';
/** Boards with four compute slices; others have seven (https://docs.nvidia.com/datacenter/tesla/mig-user-guide/). */
const FOUR_SLICES = /\bA30\b|RTX PRO 6000/;

/** Collects the lines of one GPU at one time of a scrape. */
export class ScrapedGpu {
  readonly inventory: GpuInventory = {};
  /** Values of the board, by field number. */
  private readonly board = new Map<number, Value>();
  /** Values of MIG instances, or of the chips of a board, by field number. */
  private readonly instances = new Map<number, Map<string, Value>>();
  private readonly infoLines: Line[] = [];
  private readonly workloads = new Set<Workload>();

  constructor(
    readonly gpuId: string,
    readonly atMs: number,
    private readonly format: ExporterFormat,
  ) {}

  /** Adds a line that has labels and no reading. */
  addInfo(line: Line): void {
    this.infoLines.push(line);
  }

  /** Adds a pod or job that uses the GPU. */
  addWorkload(workload: Workload): void {
    this.workloads.add(workload);
  }

  /**
   * Adds the value of a line. Several lines may have the same value of a GPU, one for each pod that shares it. If they
   * differ, the first is used.
   *
   * @returns the fault of the line, or null
   */
  add(
    field: ExporterField,
    mig: { instance: string; slices: number },
    value: number | null,
    line: Line,
  ): string | null {
    const part = field.instances === undefined ? BOARD : mig.instance;
    const known = part === BOARD ? this.board.get(field.number) : this.instances.get(field.number)?.get(part);
    if (known === undefined) {
      const added = { value, lines: [line], slices: mig.slices };
      if (part === BOARD) this.board.set(field.number, added);
      else this.addInstance(field, part, added);
      return null;
    }
    // A code of one instance is that of the board; instances without one report 0.
    const isReplaceable = known.value === null || (field.number === XID && known.value === 0);
    const isEmpty = value === null || (field.number === XID && value === 0);
    if (!isReplaceable && !isEmpty && known.value !== value)
      return `${field.names[0]} is ${value} here, but ${known.value} in an earlier line of the same GPU and time`;
    if (isReplaceable && value !== null) known.value = value;
    known.lines.push(line);
    return null;
  }

  private addInstance({ number }: ExporterField, instance: string, value: Value): void {
    const ofField = this.instances.get(number);
    if (ofField === undefined) this.instances.set(number, new Map([[instance, value]]));
    else ofField.set(instance, value);
  }

  read(): ReadGpu {
    const result: ReadGpu = {
      readings: {},
      inventory: this.inventory,
      workloads: this.differentWorkloads(),
      lines: [...this.infoLines],
      superseded: [],
      unused: 0,
    };
    const supersede = (lines: Line[], fault: string) =>
      result.superseded.push(...lines.map((line) => ({ line, fault })));
    const values = new Map<number, number | null>();
    for (const field of this.format.fields) {
      const whole = this.board.get(field.number);
      const parts = this.instances.get(field.number);
      if (whole !== undefined && (whole.value !== null || parts === undefined))
        values.set(field.number, whole.value);
      else if (parts !== undefined) values.set(field.number, this.combine(field, [...parts.values()]));
    }
    for (const [number, value] of values) {
      const field = this.fieldOf(number);
      const whole = this.board.get(number);
      const lines = whole?.lines ?? [];
      const ofInstances = [...(this.instances.get(number)?.values() ?? [])].flatMap((part) => part.lines);
      const fault = this.fault(number, values);
      if (fault !== null) {
        supersede([...lines, ...ofInstances], fault);
        continue;
      }
      if (value !== null && this.isUnused(field, values)) {
        result.unused += lines.length + ofInstances.length;
        continue;
      }
      assign(result, field, value, values);
      result.lines.push(...lines);
      if (whole === undefined || whole.value === null) result.lines.push(...ofInstances);
      else supersede(ofInstances, `${field.names[0]} of the whole board replaces that of its MIG instances`);
    }
    return result;
  }

  /** Labels that differ in other respects describe the same workload. */
  private differentWorkloads(): Workload[] {
    if (this.workloads.size < 2) return [...this.workloads];
    return [...new Map([...this.workloads].map((one) => [JSON.stringify(one), one])).values()];
  }

  private combine(field: ExporterField, instances: Value[]): number | null {
    const known = instances.filter((part): part is Value & { value: number } => part.value !== null);
    if (known.length === 0) return null;
    if (field.instances === 'mean') return known.reduce((sum, { value }) => sum + value, 0) / known.length;
    if (field.instances === 'add up') return known.reduce((sum, { value }) => sum + value, 0);
    const slices = FOUR_SLICES.test(this.inventory.model ?? '') ? 4 : 7;
    const busy = known.reduce((sum, { value, slices: of }) => sum + value * of, 0);
    return Math.min(100, Math.round((busy / slices) * 1e4) / 1e4);
  }

  /** Returns why the value of a field cannot be used, or null. */
  private fault(number: number, values: Values): string | null {
    if (number === FRAMEBUFFER_USED || number === FRAMEBUFFER_TOTAL) return this.contradiction(values);
    if (number !== FRAMEBUFFER_RESERVED && number !== FRAMEBUFFER_FREE) return null;
    if (isBlank(values, number) || !isBlank(values, FRAMEBUFFER_TOTAL)) return null;
    if (number === FRAMEBUFFER_FREE)
      return isBlank(values, FRAMEBUFFER_USED)
        ? `${this.nameOf(number)} requires ${this.nameOf(FRAMEBUFFER_USED)}`
        : null;
    return isBlank(values, FRAMEBUFFER_FREE) || isBlank(values, FRAMEBUFFER_USED)
      ? `${this.nameOf(number)} requires ${this.nameOf(FRAMEBUFFER_FREE)} and ${this.nameOf(FRAMEBUFFER_USED)}`
      : null;
  }

  /** Returns whether a fallback field is not needed. Of several alternatives, the first in the table is used. */
  private isUnused(field: ExporterField, values: Values): boolean {
    if (field.fallbackFor === undefined) return false;
    // Added to the free memory.
    if (field.number === FRAMEBUFFER_RESERVED) return !isBlank(values, FRAMEBUFFER_TOTAL);
    for (const other of this.format.fields) {
      if (other === field) return false;
      const isAlternative = other.number === field.fallbackFor || other.fallbackFor === field.fallbackFor;
      if (isAlternative && !isBlank(values, other.number)) return true;
    }
    return false;
  }

  /** Returns a fault when used and total memory contradict each other; neither is used then. */
  private contradiction(board: Values): string | null {
    const used = board.get(FRAMEBUFFER_USED) ?? null;
    const total = board.get(FRAMEBUFFER_TOTAL) ?? null;
    return used !== null && total !== null && used > total
      ? `${this.nameOf(FRAMEBUFFER_USED)} of ${used} is more than ${this.nameOf(FRAMEBUFFER_TOTAL)} of ${total}: neither is used`
      : null;
  }

  private fieldOf(number: number): ExporterField {
    return this.format.fieldByNumber.get(number) as ExporterField;
  }

  private nameOf(number: number): string {
    return this.fieldOf(number).names[0];
  }
}

function assign(result: ReadGpu, field: ExporterField, value: number | null, board: Values): void {
  const { readings, inventory } = result;
  switch (field.recordField) {
    case 'row_remap_failed':
    case 'row_remap_pending':
      readings[field.recordField] = value === null ? null : value > 0;
      break;
    case 'nvlink_errors_total':
      // The sum of CRC, replay and recovery errors; null only when all are blank.
      readings.nvlink_errors_total =
        value === null ? (readings.nvlink_errors_total ?? null) : (readings.nvlink_errors_total ?? 0) + value;
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
      (readings as Record<string, number | boolean | null>)[field.recordField] =
        converted(field, value, board) ?? readings[field.recordField as keyof GpuReadings] ?? null;
  }
}

function converted(field: ExporterField, value: number | null, board: Values): number | null {
  if (value === null) return null;
  if (field.number === FRAMEBUFFER_FREE) {
    const reserved = board.get(FRAMEBUFFER_RESERVED) ?? 0;
    const total = value + (board.get(FRAMEBUFFER_USED) as number) + reserved;
    return total < MIN_MEMORY_MIB ? null : total;
  }
  // Counted with the free memory.
  return field.number === FRAMEBUFFER_RESERVED ? null : value;
}
