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
}

/** Key of the whole board, in place of the number of a MIG instance. */
const BOARD = '';
/** Boards with four compute slices; others have seven (https://docs.nvidia.com/datacenter/tesla/mig-user-guide/). */
const FOUR_SLICES = /\bA30\b|RTX PRO 6000/;

/** Collects the lines of one GPU at one time of a scrape. */
export class ScrapedGpu {
  readonly inventory: GpuInventory = {};
  private readonly values = new Map<number, Map<string, Value>>();
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
    const ofField = this.values.get(field.number) ?? new Map<string, Value>();
    this.values.set(field.number, ofField);
    const part = field.instances === undefined ? BOARD : mig.instance;
    const known = ofField.get(part);
    if (!known) {
      ofField.set(part, { value, lines: [line], slices: mig.slices });
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

  read(): ReadGpu {
    const result: ReadGpu = {
      readings: {},
      inventory: this.inventory,
      // Labels that differ in other respects describe the same workload.
      workloads: [...new Map([...this.workloads].map((one) => [JSON.stringify(one), one])).values()],
      lines: [...this.infoLines],
      superseded: [],
    };
    const supersede = (lines: Line[], fault: string) =>
      result.superseded.push(...lines.map((line) => ({ line, fault })));
    const board = new Map<number, number | null>();
    for (const field of this.format.fields) {
      const parts = this.values.get(field.number);
      if (!parts) continue;
      const whole = parts.get(BOARD);
      const instances = [...parts].filter(([instance]) => instance !== BOARD).map(([, part]) => part);
      const instanceLines = instances.flatMap((part) => part.lines);
      if (whole && whole.value !== null) {
        supersede(instanceLines, `${field.names[0]} of the whole board replaces that of its MIG instances`);
        result.lines.push(...whole.lines);
        board.set(field.number, whole.value);
      } else {
        result.lines.push(...(whole?.lines ?? []), ...instanceLines);
        board.set(field.number, this.combine(field, instances));
      }
    }
    for (const [number, value] of board) {
      const fault = this.unusedReason(number, board);
      const field = this.fieldOf(number);
      if (fault === null) assign(result, field, value, board);
      else {
        const lines = new Set([...(this.values.get(number)?.values() ?? [])].flatMap((part) => part.lines));
        result.lines = result.lines.filter((line) => !lines.has(line));
        result.superseded = result.superseded.filter(({ line }) => !lines.has(line));
        supersede([...lines], fault);
      }
    }
    return result;
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

  /** Returns why the value of a field is not used, or null. */
  private unusedReason(number: number, board: Map<number, number | null>): string | null {
    const field = this.fieldOf(number);
    if (number === FRAMEBUFFER_USED || number === FRAMEBUFFER_TOTAL) return this.contradiction(board);
    if (field.standsInFor === undefined || board.get(number) === null) return null;
    if (number === FRAMEBUFFER_RESERVED && (board.get(FRAMEBUFFER_TOTAL) ?? null) === null)
      return (board.get(FRAMEBUFFER_FREE) ?? null) === null || (board.get(FRAMEBUFFER_USED) ?? null) === null
        ? `${field.names[0]} requires ${this.nameOf(FRAMEBUFFER_FREE)} and ${this.nameOf(FRAMEBUFFER_USED)}`
        : null;
    // Of several alternatives, the first in the table is used.
    const better = this.format.fields
      .slice(0, this.format.fields.indexOf(field))
      .find(
        (other) =>
          (other.number === field.standsInFor || other.standsInFor === field.standsInFor) &&
          (board.get(other.number) ?? null) !== null,
      );
    if (better) return `${field.names[0]} is used only where ${better.names[0]} is blank`;
    if (number === FRAMEBUFFER_FREE && (board.get(FRAMEBUFFER_USED) ?? null) === null)
      return `${field.names[0]} requires ${this.nameOf(FRAMEBUFFER_USED)}`;
    return null;
  }

  /** Returns a fault when used and total memory contradict each other; neither is used then. */
  private contradiction(board: Map<number, number | null>): string | null {
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

function assign(
  result: ReadGpu,
  field: ExporterField,
  value: number | null,
  board: Map<number, number | null>,
): void {
  const { readings, inventory } = result;
  switch (field.ours) {
    case 'row_remap_failed':
    case 'row_remap_pending':
      readings[field.ours] = value === null ? null : value > 0;
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
      if (value !== null) inventory[field.ours] = value;
      break;
    default:
      // A blank field does not replace the value of another field.
      Object.assign(readings, {
        [field.ours]: converted(field, value, board) ?? readings[field.ours as keyof GpuReadings] ?? null,
      });
  }
}

function converted(
  field: ExporterField,
  value: number | null,
  board: Map<number, number | null>,
): number | null {
  if (value === null) return null;
  if (field.number === FRAMEBUFFER_FREE) {
    const reserved = board.get(FRAMEBUFFER_RESERVED) ?? 0;
    const total = value + (board.get(FRAMEBUFFER_USED) as number) + reserved;
    return total < MIN_MEMORY_MIB ? null : total;
  }
  // Counted with the free memory.
  return field.number === FRAMEBUFFER_RESERVED ? null : value;
}
