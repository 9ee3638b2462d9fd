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
export const SCOPE = {
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

  /** Also where there is nothing to count: then, too, the counts go with the customer's newest import. */
  async write(connection: ImportConnection, customerId: number): Promise<void> {
    const alike = [...this.alike.values()];
    this.alike.clear();
    const rows = rowsOf(alike);
    const keys = keysOf(alike);
    if (rows.length > 0) await add(connection, customerId, rows);
    if (keys.length > 0) await addKeys(connection, customerId, keys);
    if (await followsOn(connection, customerId)) return;
    await countWithoutTypes(connection, customerId);
    await findKeys(connection, customerId);
  }
}

/** What changes in the counts: keys in the order of the columns, and by how much. */
function rowsOf(alike: readonly Alike[]): (string | number)[][] {
  const deltas = new Map<string, number>();
  for (const { hour, workspace_id, api_key_id, severity, state, type, delta } of alike) {
    if (delta === 0) continue;
    const workspaceId = workspace_id ?? NO_WORKSPACE;
    const scopes: [number, number, string][] = [
      [SCOPE.customer, 0, type],
      [SCOPE.workspace, workspaceId, type],
      [SCOPE.customerWithoutTypes, 0, ''],
      [SCOPE.workspaceWithoutTypes, workspaceId, ''],
    ];
    if (api_key_id !== null) scopes.push([SCOPE.apiKey, api_key_id, type]);
    for (const [kind, id, ofType] of scopes) {
      for (const grain of [GRAIN.month, GRAIN.day, GRAIN.hour]) {
        if (kind === SCOPE.apiKey && grain === GRAIN.hour) continue;
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

/** From the rows. */
async function findKeys(connection: ImportConnection, customerId: number): Promise<void> {
  await connection.query(
    `INSERT INTO fleet.api_key_workspaces (customer_id, api_key_id, workspace_id)
     SELECT DISTINCT a.customer_id, a.api_key_id, coalesce(a.workspace_id, ${NO_WORKSPACE}) FROM fleet.alerts a
     WHERE a.customer_id = $1 AND a.api_key_id IS NOT NULL
     ON CONFLICT DO NOTHING`,
    [customerId],
  );
}

/**
 * Says that the counts without types, and the workspaces of keys, are kept up to this batch.
 *
 * @returns whether they were up to the one before; an importer of an older release does not keep them
 */
async function followsOn(connection: ImportConnection, customerId: number): Promise<boolean> {
  const [row] = await connection.query<{ followed: boolean }>(
    `WITH former AS (SELECT t.seq FROM fleet.total_positions t WHERE t.customer_id = $1)
     INSERT INTO fleet.total_positions AS t (customer_id, seq)
     SELECT p.customer_id, p.seq FROM fleet.import_positions p WHERE p.customer_id = $1
     ON CONFLICT (customer_id) DO UPDATE SET seq = excluded.seq
     RETURNING coalesce((SELECT f.seq FROM former f), 0) = t.seq - 1 AS followed`,
    [customerId],
  );
  return (row as { followed: boolean }).followed;
}

/** From the counts with types: 0 is counted as 3 then, and 1 as 4 (`SCOPE`). */
async function countWithoutTypes(connection: ImportConnection, customerId: number): Promise<void> {
  await connection.query(
    `INSERT INTO fleet.alert_counts (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type, n)
     SELECT c.customer_id, c.scope_kind + 3, c.scope_id, c.grain, c.bucket, c.severity, c.state, '', sum(c.n)
     FROM fleet.alert_counts c WHERE c.customer_id = $1 AND c.scope_kind IN (0, 1)
     GROUP BY c.customer_id, c.scope_kind, c.scope_id, c.grain, c.bucket, c.severity, c.state
     ON CONFLICT (customer_id, scope_kind, scope_id, grain, bucket, severity, state, type) DO UPDATE SET n = excluded.n`,
    [customerId],
  );
}
