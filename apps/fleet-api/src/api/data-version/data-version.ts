import { epochMsSql } from '../../model/epoch-ms.sql.ts';

/**
 * Kinds of data with versions of their own. `alerts`: alerts, their states, counts and timelines. `telemetry`: all other
 * data. Most imports are samples, which do not change responses about alerts.
 */
export type DataKind = 'alerts' | 'telemetry';
export const ALERT_DATA: readonly DataKind[] = ['alerts'];
export const ALL_DATA: readonly DataKind[] = ['alerts', 'telemetry'];

/** The data that a response was built from. It stays the same until the next import of such data for one of the caller's customers. */
export interface DataVersion {
  /** The data that the response reads. */
  kinds: readonly DataKind[];
  /** By customer id: the sequence number of the last import that changed each kind. */
  seqs: [customerId: number, ...seqs: number[]][];
  /** Time of the newest import of any kind, in ms since the epoch; null when there was none. */
  asOfMs: number | null;
  /** Time of the newest import that changed data of these kinds. Unlike `asOfMs`, it is the same for equal `seqs`. */
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

/** Expression of a `DataVersionRow` of `fleet.data_versions p` as JSON. */
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

/** Returns the data version of rows that were read from one snapshot per customer. */
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

/** A row of a statement of `withDataVersion`. */
export type FoundRow<Row extends { customer_id: number }> = (Row | { customer_id: null }) & {
  data_version: DataVersionRow | null;
};

/** Returns the rows of a statement of `withDataVersion`. */
export function foundRows<Row extends { customer_id: number }>(rows: readonly FoundRow<Row>[]): Row[] {
  return rows.filter((row): row is FoundRow<Row> & Row => row.customer_id !== null);
}

/** Returns the first row of several customers; null without rows. */
export function firstFound<Row extends { customer_id: number }>(
  rows: readonly FoundRow<Row>[],
  compare: (a: Row, b: Row) => number,
  kinds: readonly DataKind[],
): (Row & { data: DataVersion }) | null {
  const [first] = foundRows(rows).sort(compare);
  return first === undefined ? null : { ...first, data: dataVersionOf(rows, kinds) };
}

/** Returns the data version of the responses of several customers. */
export function dataVersionOfSeveral(versions: readonly DataVersion[]): DataVersion {
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

/** Whether a version is of the same customers as `current`, and each kind of their data is as new or newer. */
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
