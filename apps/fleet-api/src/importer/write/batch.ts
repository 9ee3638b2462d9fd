import type { Attributed } from '../records/records.ts';

/** The lines that a record was read from, for the reject file. */
export interface Origin {
  file: string;
  /**
   * Empty for all but the last record of the same lines, so that rejected lines are reported once (`readRecords` in
   * run/source.ts).
   */
  lines: { number: number; text: string }[];
}

/** Identifies a scrape: its content is imported once. */
export interface Scrape {
  workspaceId: number;
  digest: Buffer;
}

export interface BatchEntry<R extends Attributed = Attributed> {
  record: R;
  origin: Origin;
  /** The scrape that the record is part of; its records are adjacent. */
  scrape?: Scrape;
}

/** Records of one customer that are written in one transaction. */
export interface Batch {
  customerId: number;
  entries: BatchEntry[];
}

/**
 * Splits a batch into two of about half the records each, in their order.
 *
 * @returns null if it cannot be split: one scrape, or the records of one line
 */
export function halvesOf({ customerId, entries }: Batch): [Batch, Batch] | null {
  const lastOfFirstHalf = Math.floor(entries.length / 2) - 1;
  // A unit is a scrape, or the records of one line: it is not split.
  const endsUnit = ({ origin, scrape }: BatchEntry, index: number) =>
    scrape === undefined ? origin.lines.length > 0 : entries[index + 1]?.scrape !== scrape;
  // The first end of a unit from the middle on; otherwise the last one before it.
  let end = entries.findIndex((entry, index) => index >= lastOfFirstHalf && endsUnit(entry, index)) + 1;
  if (end === 0 || end === entries.length)
    end = entries.findLastIndex((entry, index) => index < lastOfFirstHalf && endsUnit(entry, index)) + 1;
  if (end === 0) return null;
  return [
    { customerId, entries: entries.slice(0, end) },
    { customerId, entries: entries.slice(end) },
  ];
}

/** Outcome of a record. `duplicate`: an equal record is already stored. */
export type Outcome =
  { result: 'written' } | { result: 'duplicate' } | { result: 'rejected'; reason: string };

const WRITTEN: Outcome = { result: 'written' };
const DUPLICATE: Outcome = { result: 'duplicate' };

/** The outcomes of the records of a batch. */
export class Outcomes {
  readonly all: { entry: BatchEntry; outcome: Outcome }[] = [];
  writtenCount = 0;

  recordWritten(entry: BatchEntry): void {
    this.writtenCount += 1;
    this.all.push({ entry, outcome: WRITTEN });
  }
  recordDuplicate(entry: BatchEntry): void {
    this.all.push({ entry, outcome: DUPLICATE });
  }
  recordRejected(entry: BatchEntry, reason: string): void {
    this.all.push({ entry, outcome: { result: 'rejected', reason } });
  }
}
