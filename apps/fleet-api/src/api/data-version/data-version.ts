import { DomainError, fleetErrors } from '@gpu-observatory/service-runtime/process';
import { epochMsSql } from '../../model/epoch-ms.sql.ts';

/**
 * A kind of data with its own version. `alerts`: alerts, their states, counts and timelines. `telemetry`: all other
 * data. Most imports are samples, which do not change responses about alerts.
 */
export type DataKind = 'alerts' | 'telemetry';
export const ALERT_DATA: readonly DataKind[] = ['alerts'];
export const TELEMETRY_DATA: readonly DataKind[] = ['telemetry'];
export const ALL_DATA: readonly DataKind[] = ['alerts', 'telemetry'];

/**
 * Identifies the data that a response was built from. It stays the same until the next import of such data for one of the caller's
 * customers.
 */
export interface DataVersion {
  /** Kinds of data that the response depends on. */
  kinds: readonly DataKind[];
  /** For each customer, sorted by id, the sequence numbers of the last imports that changed each of `kinds`. */
  seqs: [customerId: number, ...seqs: number[]][];
  /** Time of the newest import of any kind, in ms since the epoch; null when there was none. */
  asOfMs: number | null;
  /** Time of the newest import that changed data of `kinds`; null when there was none. Unlike `asOfMs`, it is the same for equal `seqs`. */
  changedAtMs: number | null;
}

export type DataVersionRow = [
  customerId: number,
  importedAtMs: number,
  alertsSeq: number,
  alertsAtMs: number,
  telemetrySeq: number,
  telemetryAtMs: number,
];

/** Expression of the `DataVersionRow` of a row `p` of `fleet.data_versions`, as JSON. */
export const DATA_VERSION_ROW = `json_build_array(p.customer_id, ${epochMsSql('p.imported_at')}, p.alerts_seq, ${epochMsSql('p.alerts_at')},
  p.telemetry_seq, ${epochMsSql('p.telemetry_at')})`;

/** Subselect of the `DataVersionRow` of the customer, from the same snapshot as the statement; null before the first import. */
export const DATA_VERSION = `(SELECT ${DATA_VERSION_ROW} FROM fleet.data_versions p WHERE p.customer_id = :customer)`;

/**
 * Returns a statement with the columns of `select` and `data_version`. Without rows in `select`, it has one row with nulls, so
 * that the version of each customer in scope is known.
 */
export function withDataVersion(select: string): string {
  return `SELECT version.data_version, found.*
    FROM (SELECT ${DATA_VERSION} AS data_version) AS version LEFT JOIN (${select}) AS found ON true`;
}

/** Returns the data version of rows of several customers. The rows of a customer have the same version, from one snapshot. */
export function dataVersionOf(
  rows: readonly { data_version: DataVersionRow | null }[],
  kinds: readonly DataKind[],
): DataVersion {
  const byCustomer = new Map(
    rows.flatMap(({ data_version: version }) => (version === null ? [] : [[version[0], version] as const])),
  );
  return toDataVersion(
    [...byCustomer.values()].sort(([a], [b]) => a - b),
    kinds,
  );
}

/** A row of a statement of `withDataVersion`. `customer_id` is null in a row that only has the version. */
export type FoundRow<Row extends { customer_id: number }> = (Row | { customer_id: null }) & {
  data_version: DataVersionRow | null;
};

/** Returns the rows that a statement of `withDataVersion` has found. */
export function foundRows<Row extends { customer_id: number }>(rows: readonly FoundRow<Row>[]): Row[] {
  return rows.filter((row): row is FoundRow<Row> & Row => row.customer_id !== null);
}

/**
 * Returns the first row that was found, in the order of `compare`, with the data version of all rows.
 *
 * @throws {DomainError} `not_found` with this message when none was found
 */
export function firstFound<Row extends { customer_id: number }>(
  rows: readonly FoundRow<Row>[],
  compare: (a: Row, b: Row) => number,
  kinds: readonly DataKind[],
  notFound: string,
): Row & { data: DataVersion } {
  const [first] = foundRows(rows).sort(compare);
  if (first === undefined) throw new DomainError(fleetErrors.notFound, notFound);
  return { ...first, data: dataVersionOf(rows, kinds) };
}

/** Merges the data versions of different customers. */
export function mergeDataVersions(versions: readonly DataVersion[]): DataVersion {
  const byCustomer = new Map(versions.flatMap(({ seqs }) => seqs.map((row) => [row[0], row] as const)));
  return {
    kinds: versions[0]?.kinds ?? [],
    seqs: [...byCustomer.values()].sort(([a], [b]) => a - b),
    asOfMs: newest(versions.flatMap(({ asOfMs }) => asOfMs ?? [])),
    changedAtMs: newest(versions.flatMap(({ changedAtMs }) => changedAtMs ?? [])),
  };
}

export function toDataVersion(rows: readonly DataVersionRow[], kinds: readonly DataKind[]): DataVersion {
  const customers = rows.map(([id, importedAtMs, alertsSeq, alertsAtMs, telemetrySeq, telemetryAtMs]) => ({
    id,
    importedAtMs,
    alerts: { seq: alertsSeq, atMs: alertsAtMs },
    telemetry: { seq: telemetrySeq, atMs: telemetryAtMs },
  }));
  return {
    kinds,
    seqs: customers.map((customer) => [customer.id, ...kinds.map((kind) => customer[kind].seq)]),
    asOfMs: newest(customers.map(({ importedAtMs }) => importedAtMs)),
    changedAtMs: newest(customers.flatMap((customer) => kinds.map((kind) => customer[kind].atMs))),
  };
}

/** Returns whether a version has the same customers as `current`, and is as new or newer for each customer and kind. */
export function isAsNewAs({ seqs }: Pick<DataVersion, 'seqs'>, current: Pick<DataVersion, 'seqs'>): boolean {
  if (seqs.length !== current.seqs.length) return false;
  return current.seqs.every(([currentId, ...currentSeqs], n) => {
    const [customerId, ...customerSeqs] = seqs[n] ?? [];
    return customerId === currentId && currentSeqs.every((seq, kind) => (customerSeqs[kind] ?? -1) >= seq);
  });
}

function newest(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.max(...times);
}
