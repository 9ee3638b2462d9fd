import { ALERT_COUNT_SCOPES, ANY_RANK, NO_WORKSPACE } from '../../model/alerts/alert-count-scope.ts';
import { GRAIN } from '../../model/metrics/time-grains.ts';
import type { ImportConnection } from './import-connection.ts';

/** The properties that an alert is counted by. */
export interface CountedAlert {
  created_at: string;
  workspace_id: number | null;
  api_key_id: number | null;
  severity: number;
  state: number;
  type: string;
}

/** Characters of the RFC 3339 UTC time at the start of an hour that a bucket keeps, and what follows them. */
const BUCKET_LENGTH = { [GRAIN.month]: 7, [GRAIN.day]: 10, [GRAIN.hour]: 13 } as const;
const BUCKET_SUFFIX = {
  [GRAIN.month]: '-01T00:00:00Z',
  [GRAIN.day]: 'T00:00:00Z',
  [GRAIN.hour]: ':00:00Z',
} as const;

/** A change in the number of alerts of an hour with equal properties. */
interface CountChange extends Omit<CountedAlert, 'created_at'> {
  /** RFC 3339 UTC time up to the hour: 2026-11-22T10. */
  hour: string;
  delta: number;
}

/** Changes of a batch to `fleet.alert_counts` and `fleet.api_key_workspaces`, written in its transaction. */
export class AlertCounts {
  private readonly changes = new Map<string, CountChange>();

  add({ created_at, workspace_id, api_key_id, severity, state, type }: CountedAlert, delta: 1 | -1): void {
    const hour = created_at.slice(0, BUCKET_LENGTH[GRAIN.hour]);
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
    const keys = keyWorkspaces(changes);
    if (rows.length > 0) await add(connection, customerId, rows);
    if (keys.length > 0) await addKeys(connection, customerId, keys);
  }
}

const DAYS = [GRAIN.month, GRAIN.day] as const;
const HOURS = [...DAYS, GRAIN.hour] as const;

/** Returns key columns, in their order, and the difference. */
function rowsOf(changes: readonly CountChange[]): (string | number)[][] {
  const deltas = new Map<string, number>();
  for (const { hour, workspace_id, api_key_id, severity, state, type, delta } of changes) {
    if (delta === 0) continue;
    const ids = { customer: 0, workspace: workspace_id ?? NO_WORKSPACE, apiKey: api_key_id };
    const members = {
      all: `${severity} ${state} ${type}`,
      severityAndState: `${severity} ${state} `,
      type: `${ANY_RANK} ${ANY_RANK} ${type}`,
    };
    for (const { kind, owner, groupedBy, hasHours } of ALERT_COUNT_SCOPES) {
      const id = ids[owner];
      if (id === null) continue;
      for (const grain of hasHours ? HOURS : DAYS) {
        const bucket = hour.slice(0, BUCKET_LENGTH[grain]) + BUCKET_SUFFIX[grain];
        const key = `${kind} ${id} ${grain} ${bucket} ${members[groupedBy]}`;
        deltas.set(key, (deltas.get(key) ?? 0) + delta);
      }
    }
  }
  return [...deltas].filter(([, delta]) => delta !== 0).map(([key, delta]) => [...key.split(' '), delta]);
}

/** Returns API keys with the workspaces of their alerts. */
function keyWorkspaces(changes: readonly CountChange[]): [apiKeyId: number, workspaceId: number][] {
  const keys = new Map<string, [number, number]>();
  for (const { workspace_id, api_key_id } of changes) {
    if (api_key_id === null) continue;
    const workspaceId = workspace_id ?? NO_WORKSPACE;
    keys.set(`${api_key_id} ${workspaceId}`, [api_key_id, workspaceId]);
  }
  return [...keys.values()];
}

/** Adds differences to `fleet.alert_counts`, by customer, scope, grain, bucket, severity, state and type. */
const ADD_COUNTS = `INSERT INTO fleet.alert_counts AS stored (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type, n)
  SELECT $1, scope_kind, scope_id, grain, bucket, severity, state, type, n
  FROM unnest($2::smallint[], $3::integer[], $4::smallint[], $5::timestamptz[], $6::smallint[], $7::smallint[],
              $8::text[], $9::bigint[]) AS staged (scope_kind, scope_id, grain, bucket, severity, state, type, n)
  ON CONFLICT (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type)
  DO UPDATE SET n = stored.n + excluded.n`;

async function add(
  connection: ImportConnection,
  customerId: number,
  rows: (string | number)[][],
): Promise<void> {
  await connection.query(ADD_COUNTS, [
    customerId,
    ...Array.from({ length: 8 }, (_unused, column) => rows.map((row) => row[column])),
  ]);
}

/** Inserts the pairs that are new into `fleet.api_key_workspaces`, by customer, API key and workspace. */
const INSERT_KEY_WORKSPACES = `INSERT INTO fleet.api_key_workspaces (customer_id, api_key_id, workspace_id)
  SELECT $1, api_key_id, workspace_id FROM unnest($2::integer[], $3::integer[]) AS staged (api_key_id, workspace_id)
  ON CONFLICT DO NOTHING`;

async function addKeys(
  connection: ImportConnection,
  customerId: number,
  keys: [apiKeyId: number, workspaceId: number][],
): Promise<void> {
  await connection.query(INSERT_KEY_WORKSPACES, [
    customerId,
    keys.map(([apiKeyId]) => apiKeyId),
    keys.map(([, workspaceId]) => workspaceId),
  ]);
}
