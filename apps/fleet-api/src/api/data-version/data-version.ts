import { epochMsSql } from '../../model/epoch-ms.sql.ts';
import type { ScopedStatement } from '../access/tenant-database.ts';

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

/** Returns a subselect of the `DataVersionRow[]` in scope as one JSON array, from the same snapshot as the statement. */
export function dataVersionsSql(statement: ScopedStatement): string {
  return `SELECT coalesce(json_agg(${DATA_VERSION_ROW} ORDER BY p.customer_id), '[]')
    FROM fleet.data_versions p WHERE ${statement.customer('p')}`;
}

/**
 * Returns a statement with the columns of `select` and `data_versions`. Without rows in `select`, it has one row with nulls, so
 * that the versions of all customers in scope are known.
 */
export function withDataVersionsSql(statement: ScopedStatement, select: string): string {
  return `SELECT versions.data_versions, found.*
    FROM (SELECT (${dataVersionsSql(statement)}) AS data_versions) AS versions LEFT JOIN (${select}) AS found ON true`;
}

/** Returns the data version of rows that were read from one snapshot per customer. */
export function dataVersionOf(
  rows: readonly { data_versions: DataVersionRow[] }[],
  kinds: readonly DataKind[],
): DataVersion {
  const byCustomer = new Map(
    rows.flatMap(({ data_versions }) => data_versions.map((version) => [version[0], version] as const)),
  );
  return toDataVersion(
    [...byCustomer.values()].sort(([a], [b]) => a - b),
    kinds,
  );
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

export function toDataVersion(rows: DataVersionRow[], kinds: readonly DataKind[]): DataVersion {
  return {
    kinds,
    seqs: rows.map(([customerId, , alerts, , telemetry]) => [
      customerId,
      ...kinds.map((kind) => (kind === 'alerts' ? alerts : telemetry)),
    ]),
    asOfMs: newest(rows.map(([, importedAtMs]) => importedAtMs)),
    changedAtMs: newest(
      rows.flatMap(([, , , alertsAtMs, , telemetryAtMs]) =>
        kinds.map((kind) => (kind === 'alerts' ? alertsAtMs : telemetryAtMs)),
      ),
    ),
  };
}

/** Whether a version is that of `current`, or newer. */
export function isAsNewAs({ seqs }: Pick<DataVersion, 'seqs'>, current: Pick<DataVersion, 'seqs'>): boolean {
  return (
    seqs.length === current.seqs.length &&
    current.seqs.every((row, n) =>
      row.every((value, column) => {
        const of = seqs[n]?.[column];
        return of !== undefined && (column === 0 ? of === value : of >= value);
      }),
    )
  );
}

function newest(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.max(...times);
}
