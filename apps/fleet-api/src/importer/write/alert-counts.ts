import type { ImportConnection } from './import-connection.ts';

/** What an alert is counted by. */
export interface CountedAlert {
  created_at: string;
  workspace_id: number | null;
  api_key_id: number | null;
  severity: number;
  state: number;
  type: string;
}

/** `scope_kind` and `grain` of `fleet.alert_counts`. */
export const ALERT_COUNT_SCOPE = {
  customer: 0,
  workspace: 1,
  apiKey: 2,
  customerWithoutTypes: 3,
  workspaceWithoutTypes: 4,
} as const;
export const GRAIN = { month: 0, day: 1, hour: 2 } as const;
/** What stands for "no workspace" in `scope_id`. */
export const NO_WORKSPACE = 0;

const BUCKET_LENGTH = { [GRAIN.month]: 7, [GRAIN.day]: 10, [GRAIN.hour]: 13 } as const;
const BUCKET_REST = {
  [GRAIN.month]: '-01T00:00:00Z',
  [GRAIN.day]: 'T00:00:00Z',
  [GRAIN.hour]: ':00:00Z',
} as const;

/** Alerts of one hour that are alike in all that they are counted by, and how many more there are of them. */
interface Alike extends Omit<CountedAlert, 'created_at'> {
  /** The begin of a time, RFC 3339 UTC, up to the hour. */
  hour: string;
  delta: number;
}

/** Counts that a batch adds to and takes from, written in the batch's own transaction: exact with the rows. */
export class AlertCounts {
  private readonly alike = new Map<string, Alike>();

  add({ created_at, workspace_id, api_key_id, severity, state, type }: CountedAlert, delta: 1 | -1): void {
    const hour = created_at.slice(0, BUCKET_LENGTH[GRAIN.hour]);
    const key = `${hour} ${workspace_id} ${api_key_id} ${severity} ${state} ${type}`;
    const known = this.alike.get(key);
    if (known === undefined)
      this.alike.set(key, { hour, workspace_id, api_key_id, severity, state, type, delta });
    else known.delta += delta;
  }

  async write(connection: ImportConnection, customerId: number): Promise<void> {
    const alike = [...this.alike.values()];
    this.alike.clear();
    const rows = rowsOf(alike);
    const keys = keysOf(alike);
    if (rows.length > 0) await add(connection, customerId, rows);
    if (keys.length > 0) await addKeys(connection, customerId, keys);
  }
}

/** What changes in the counts: keys in the order of the columns, and by how much. */
function rowsOf(alike: readonly Alike[]): (string | number)[][] {
  const deltas = new Map<string, number>();
  for (const { hour, workspace_id, api_key_id, severity, state, type, delta } of alike) {
    if (delta === 0) continue;
    const workspaceId = workspace_id ?? NO_WORKSPACE;
    const scopes: [number, number, string][] = [
      [ALERT_COUNT_SCOPE.customer, 0, type],
      [ALERT_COUNT_SCOPE.workspace, workspaceId, type],
      [ALERT_COUNT_SCOPE.customerWithoutTypes, 0, ''],
      [ALERT_COUNT_SCOPE.workspaceWithoutTypes, workspaceId, ''],
    ];
    if (api_key_id !== null) scopes.push([ALERT_COUNT_SCOPE.apiKey, api_key_id, type]);
    for (const [kind, id, ofType] of scopes) {
      for (const grain of [GRAIN.month, GRAIN.day, GRAIN.hour]) {
        if (kind === ALERT_COUNT_SCOPE.apiKey && grain === GRAIN.hour) continue;
        // The time is RFC 3339 UTC: its head is the bucket.
        const bucket = hour.slice(0, BUCKET_LENGTH[grain]) + BUCKET_REST[grain];
        const key = [kind, id, grain, bucket, severity, state, ofType].join(' ');
        deltas.set(key, (deltas.get(key) ?? 0) + delta);
      }
    }
  }
  return [...deltas].filter(([, delta]) => delta !== 0).map(([key, delta]) => [...key.split(' '), delta]);
}

/** API keys with the workspaces that their alerts are of, or none. */
function keysOf(alike: readonly Alike[]): [apiKeyId: number, workspaceId: number][] {
  const keys = new Map<string, [number, number]>();
  for (const { workspace_id, api_key_id } of alike) {
    if (api_key_id === null) continue;
    const workspaceId = workspace_id ?? NO_WORKSPACE;
    keys.set(`${api_key_id} ${workspaceId}`, [api_key_id, workspaceId]);
  }
  return [...keys.values()];
}

async function add(
  connection: ImportConnection,
  customerId: number,
  rows: (string | number)[][],
): Promise<void> {
  await connection.query(
    `INSERT INTO fleet.alert_counts AS known (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type, n)
     SELECT $1, scope_kind, scope_id, grain, bucket, severity, state, type, n
     FROM unnest($2::smallint[], $3::integer[], $4::smallint[], $5::timestamptz[], $6::smallint[], $7::smallint[],
                 $8::text[], $9::bigint[]) AS staged (scope_kind, scope_id, grain, bucket, severity, state, type, n)
     ON CONFLICT (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type)
     DO UPDATE SET n = known.n + excluded.n`,
    [customerId, ...Array.from({ length: 8 }, (_unused, column) => rows.map((row) => row[column]))],
  );
}

async function addKeys(
  connection: ImportConnection,
  customerId: number,
  keys: [apiKeyId: number, workspaceId: number][],
): Promise<void> {
  await connection.query(
    `INSERT INTO fleet.api_key_workspaces (customer_id, api_key_id, workspace_id)
     SELECT $1, api_key_id, workspace_id FROM unnest($2::integer[], $3::integer[]) AS staged (api_key_id, workspace_id)
     ON CONFLICT DO NOTHING`,
    [customerId, keys.map(([apiKeyId]) => apiKeyId), keys.map(([, workspaceId]) => workspaceId)],
  );
}
