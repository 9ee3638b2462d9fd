import type { XidCatalog } from '../../../model/health/xid-catalog.ts';
import { urgencyOf } from '../source-verdict.ts';
import type { ExporterField } from './exporter-field.ts';
import type { ReportedValue } from './reported-value.ts';

/** Boards with four compute slices; others have seven (https://docs.nvidia.com/datacenter/tesla/mig-user-guide/). */
const FOUR_SLICES = /\bA30\b|RTX PRO 6000/;

/** Values of the board that the combination of its instances depends on. */
export interface Board {
  model: string | undefined;
  /** The XID that the board itself reports; null or 0 without one. */
  xid: number | null;
  xidCatalog: XidCatalog | undefined;
}

/**
 * Combines the values of MIG instances, partitions or chips into the value of their board. Returns null when all values are blank,
 * or when they do not add up to that of the board.
 */
export function combineInstances(
  field: ExporterField,
  instances: readonly ReportedValue[],
  board: Board,
): number | null {
  const measured = instances.filter((one): one is ReportedValue & { value: number } => one.value !== null);
  if (measured.length === 0) return null;
  const values = measured.map(({ value }) => value);
  switch (field.instances) {
    case 'add up':
      return sumOf(values);
    case 'mean':
      return sumOf(values) / values.length;
    case 'largest':
      return Math.max(...values);
    case 'by slices': {
      const boardSlices = FOUR_SLICES.test(board.model ?? '') ? 4 : 7;
      const busy = sumOf(measured.map(({ value, slices }) => value * slices));
      return Math.min(100, Math.round((busy / boardSlices) * 1e4) / 1e4);
    }
    case 'worst XID':
      // The gauge of the board has the last code, which may be the cleanup after a worse one.
      return worstXid(board.xid ? [board.xid, ...values] : values, board.xidCatalog);
    default:
      return null;
  }
}

function worstXid(codes: number[], xidCatalog: XidCatalog | undefined): number {
  const urgency = (code: number) => urgencyOf(xidCatalog?.entry(code).health ?? 'healthy');
  return codes.reduce((worst, code) => (urgency(code) > urgency(worst) ? code : worst));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
