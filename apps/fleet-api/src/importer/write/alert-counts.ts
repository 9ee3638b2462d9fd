import {
  ALERT_COUNT_SCOPES,
  ANY_RANK,
  ANY_TYPE,
  NO_WORKSPACE,
} from '../../model/alerts/alert-count-scope.ts';
import { GRAIN } from '../../model/metrics/time-grains.ts';
import type { ImportConnection } from './import-connection.ts';

/** Properties that decide in which rows an alert is counted. */
interface CountedAlert {
  created_at: string;
  workspace_id: number | null;
  api_key_id: number | null;
  /** Rank of the severity. */
  severity: number;
  /** Rank of the state. */
  state: number;
  type: string;
}

/** Number of characters of an RFC 3339 time up to the hour. */
const HOUR_LENGTH = 'YYYY-MM-DDTHH'.length;

/** A change in the number of alerts of an hour with equal properties. */
interface CountChange extends Omit<CountedAlert, 'created_at'> {
  /** RFC 3339 UTC time up to the hour: 2026-11-22T10. */
  hour: string;
  delta: number;
}

/** Changes of a batch to `fleet.alert_counts`, written in its transaction. */
export class AlertCounts {
  private readonly changes = new Map<string, CountChange>();

  /** @param delta 1 adds the alert to the counts, -1 removes it */
  add({ created_at, workspace_id, api_key_id, severity, state, type }: CountedAlert, delta: 1 | -1): void {
    const hour = created_at.slice(0, HOUR_LENGTH);
    const key = `${hour} ${workspace_id} ${api_key_id} ${severity} ${state} ${type}`;
    const change = this.changes.get(key);
    if (change === undefined)
      this.changes.set(key, { hour, workspace_id, api_key_id, severity, state, type, delta });
    else change.delta += delta;
  }

  async write(connection: ImportConnection, customerId: number): Promise<void> {
    const changes = [...this.changes.values()];
    this.changes.clear();
    const rows = rowsOf(changes);
    if (rows.length > 0) await addCounts(connection, customerId, rows);
  }
}

/** Format of the start of a bucket: the number of characters of `hour` that it begins with, and the text after them. */
const BUCKET_FORMAT = {
  [GRAIN.month]: { length: 'YYYY-MM'.length, suffix: '-01T00:00:00Z' },
  [GRAIN.day]: { length: 'YYYY-MM-DD'.length, suffix: 'T00:00:00Z' },
  [GRAIN.hour]: { length: HOUR_LENGTH, suffix: ':00:00Z' },
} as const;
const DAYS = [GRAIN.month, GRAIN.day] as const;
const HOURS = [...DAYS, GRAIN.hour] as const;

/** Adds up the changes of each row. Returns the values of `KEY_COLUMNS` and the difference. */
function rowsOf(changes: readonly CountChange[]): (string | number)[][] {
  const differences = new Map<string, number>();
  for (const change of changes) {
    if (change.delta === 0) continue;
    for (const key of keysOf(change)) differences.set(key, (differences.get(key) ?? 0) + change.delta);
  }
  return [...differences].filter(([, n]) => n !== 0).map(([key, n]) => [...key.split(' '), n]);
}

/** Returns the keys of the rows that count an alert: the values of `KEY_COLUMNS`, separated by spaces. */
function keysOf({ hour, workspace_id, api_key_id, severity, state, type }: CountChange): string[] {
  const workspaceId = workspace_id ?? NO_WORKSPACE;
  const scopeIds = { customer: 0, workspace: workspaceId, apiKey: api_key_id };
  const groups = {
    all: `${severity} ${state} ${type}`,
    severityAndState: `${severity} ${state} ${ANY_TYPE}`,
    type: `${ANY_RANK} ${ANY_RANK} ${type}`,
  };
  const keys: string[] = [];
  for (const { kind, owner, groupedBy, hasHours } of ALERT_COUNT_SCOPES) {
    const scopeId = scopeIds[owner];
    if (scopeId === null) continue;
    const workspace = owner === 'apiKey' ? workspaceId : 0;
    for (const grain of hasHours ? HOURS : DAYS) {
      const bucket = hour.slice(0, BUCKET_FORMAT[grain].length) + BUCKET_FORMAT[grain].suffix;
      keys.push(`${kind} ${scopeId} ${grain} ${bucket} ${groups[groupedBy]} ${workspace}`);
    }
  }
  return keys;
}

const KEY_COLUMNS = [
  'scope_kind',
  'scope_id',
  'grain',
  'bucket',
  'severity',
  'state',
  'type',
  'workspace_id',
];
const KEY = KEY_COLUMNS.join(', ');
const COLUMN_COUNT = [...KEY_COLUMNS, 'n'].length;
/** Adds differences to `fleet.alert_counts`, by customer and key. */
const ADD_COUNTS = `INSERT INTO fleet.alert_counts AS stored (customer_id, ${KEY}, n)
  SELECT $1, ${KEY}, n
  FROM unnest($2::smallint[], $3::integer[], $4::smallint[], $5::timestamptz[], $6::smallint[], $7::smallint[],
              $8::text[], $9::integer[], $10::bigint[]) AS staged (${KEY}, n)
  ON CONFLICT (customer_id, ${KEY}) DO UPDATE SET n = stored.n + excluded.n`;

async function addCounts(
  connection: ImportConnection,
  customerId: number,
  rows: (string | number)[][],
): Promise<void> {
  // `unnest` takes an array per column.
  const columns = Array.from({ length: COLUMN_COUNT }, (_unused, column) => rows.map((row) => row[column]));
  await connection.query(ADD_COUNTS, [customerId, ...columns]);
}
