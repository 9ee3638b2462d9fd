import { LEAST_MEMORY_MIB } from '../../records/limits.ts';
import type { GpuInventory, GpuReadings } from '../../records/records.ts';
import type { Line } from '../../run/lines.ts';
import { cudaVersion } from './cuda-version.ts';
import {
  DCGM_FIELDS,
  type DcgmField,
  ENGINE_ACTIVE,
  FIELD_BY_NUMBER,
  FRAMEBUFFER_FREE,
  FRAMEBUFFER_TOTAL,
  FRAMEBUFFER_USED,
  XID,
} from './dcgm-fields.ts';

interface Value {
  value: number | null;
  lines: Line[];
  /** The compute slices of the MIG instance it is of. */
  slices: number;
}

/** What became of a GPU's lines: those that the readings stand for, and those that another line makes superfluous. */
export interface ReadGpu {
  readings: GpuReadings;
  inventory: GpuInventory;
  lines: Line[];
  superseded: { line: Line; fault: string }[];
}

/** The whole board, where MIG instances have their number. */
const BOARD = '';
/** A board has seven compute slices to divide, these four (NVIDIA MIG user guide, "Supported GPUs"). */
const FOUR_SLICES = /\bA30\b|RTX PRO 6000/;

/** One GPU at one time of a scrape, while its lines are being read. */
export class ScrapedGpu {
  readonly inventory: GpuInventory = {};
  private readonly values = new Map<number, Map<string, Value>>();

  constructor(
    readonly gpuId: string,
    readonly atMs: number,
  ) {}

  /**
   * Takes one line's value. Several lines may say the same of a GPU (one for each pod that shares it); where they
   * disagree the first stands.
   *
   * @returns why the line cannot be kept, or null
   */
  take(
    field: DcgmField,
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
    // A code that one instance reports is the board's, though the others, having none, say 0.
    const yields = known.value === null || (field.number === XID && known.value === 0);
    const silent = value === null || (field.number === XID && value === 0);
    if (!yields && !silent && known.value !== value)
      return `${field.names[0]} is ${value} here, but ${known.value} in a line above for the same GPU and time`;
    if (yields && value !== null) known.value = value;
    known.lines.push(line);
    return null;
  }

  read(): ReadGpu {
    const result: ReadGpu = { readings: {}, inventory: this.inventory, lines: [], superseded: [] };
    const supersede = (lines: Line[], fault: string) =>
      result.superseded.push(...lines.map((line) => ({ line, fault })));
    const board = new Map<number, number | null>();
    for (const field of DCGM_FIELDS) {
      const parts = this.values.get(field.number);
      if (!parts) continue;
      const whole = parts.get(BOARD);
      const instances = [...parts].filter(([instance]) => instance !== BOARD).map(([, part]) => part);
      const instanceLines = instances.flatMap((part) => part.lines);
      if (whole && whole.value !== null) {
        supersede(instanceLines, `${field.names[0]} of the whole board says it for its MIG instances`);
        result.lines.push(...whole.lines);
        board.set(field.number, whole.value);
      } else {
        result.lines.push(...(whole?.lines ?? []), ...instanceLines);
        board.set(field.number, this.together(field, instances));
      }
    }
    for (const [number, value] of board) {
      const fault = this.superfluous(number, board);
      const field = FIELD_BY_NUMBER.get(number) as DcgmField;
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

  private together(field: DcgmField, instances: Value[]): number | null {
    const known = instances.filter((part): part is Value & { value: number } => part.value !== null);
    if (known.length === 0) return null;
    if (field.instances === 'add up') return known.reduce((sum, { value }) => sum + value, 0);
    const slices = FOUR_SLICES.test(this.inventory.model ?? '') ? 4 : 7;
    const busy = known.reduce((sum, { value, slices: of }) => sum + value * of, 0);
    return Math.min(1, busy / slices);
  }

  /** Why a field's lines say nothing that is kept, or null. */
  private superfluous(number: number, board: Map<number, number | null>): string | null {
    const field = FIELD_BY_NUMBER.get(number) as DcgmField;
    if (number === FRAMEBUFFER_USED || number === FRAMEBUFFER_TOTAL) return contradiction(board);
    if (field.standsInFor === undefined || board.get(number) === null) return null;
    // Of several stand-ins the first in the table is taken.
    const better = DCGM_FIELDS.slice(0, DCGM_FIELDS.indexOf(field)).find(
      (other) =>
        (other.number === field.standsInFor || other.standsInFor === field.standsInFor) &&
        (board.get(other.number) ?? null) !== null,
    );
    if (better) return `${field.names[0]} is kept only where ${better.names[0]} is blank`;
    if (number === FRAMEBUFFER_FREE && (board.get(FRAMEBUFFER_USED) ?? null) === null)
      return `${field.names[0]} says nothing without DCGM_FI_DEV_FB_USED`;
    return null;
  }
}

/** Neither of two readings is kept that cannot both be right. */
function contradiction(board: Map<number, number | null>): string | null {
  const used = board.get(FRAMEBUFFER_USED) ?? null;
  const total = board.get(FRAMEBUFFER_TOTAL) ?? null;
  return used !== null && total !== null && used > total
    ? `DCGM_FI_DEV_FB_USED of ${used} is more than DCGM_FI_DEV_FB_TOTAL of ${total}: neither is kept`
    : null;
}

function assign(
  result: ReadGpu,
  field: DcgmField,
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
      // CRC, replay and recovery errors together; blank only when all of them are.
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
      if (value !== null) inventory[field.ours] = value;
      break;
    default:
      // Blank where another field of the table has said it: that one stands.
      Object.assign(readings, {
        [field.ours]: inOurUnit(field, value, board) ?? readings[field.ours as keyof GpuReadings] ?? null,
      });
  }
}

function inOurUnit(field: DcgmField, value: number | null, board: Map<number, number | null>): number | null {
  if (value === null) return null;
  if (field.number === ENGINE_ACTIVE) return Math.round(value * 1e6) / 1e4;
  if (field.number === FRAMEBUFFER_FREE) {
    const total = value + (board.get(FRAMEBUFFER_USED) as number);
    return total < LEAST_MEMORY_MIB ? null : total;
  }
  return value;
}
