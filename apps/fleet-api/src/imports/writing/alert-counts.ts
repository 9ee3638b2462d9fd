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

/** Counts that a batch adds to and takes from, written in the batch's own transaction: exact with the rows. */
export class AlertCounts {
  private readonly deltas = new Map<string, number>();
  /** API keys with the workspaces that their alerts are of, or none. */
  private readonly keys = new Map<string, [apiKeyId: number, workspaceId: number]>();

  add(alert: CountedAlert, delta: 1 | -1): void {
    const workspaceId = alert.workspace_id ?? NO_WORKSPACE;
    const scopes: [number, number, string][] = [
      [SCOPE.customer, 0, alert.type],
      [SCOPE.workspace, workspaceId, alert.type],
      [SCOPE.customerWithoutTypes, 0, ''],
      [SCOPE.workspaceWithoutTypes, workspaceId, ''],
    ];
    if (alert.api_key_id !== null) {
      this.keys.set(`${alert.api_key_id} ${workspaceId}`, [alert.api_key_id, workspaceId]);
      scopes.push([SCOPE.apiKey, alert.api_key_id, alert.type]);
    }
    for (const [kind, id, type] of scopes) {
      for (const grain of [GRAIN.month, GRAIN.day, GRAIN.hour]) {
        if (kind === SCOPE.apiKey && grain === GRAIN.hour) continue;
        // The time is RFC 3339 UTC: its head is the bucket.
        const bucket = alert.created_at.slice(0, BUCKET_LENGTH[grain]) + BUCKET_REST[grain];
        const key = [kind, id, grain, bucket, alert.severity, alert.state, type].join(' ');
        this.deltas.set(key, (this.deltas.get(key) ?? 0) + delta);
      }
    }
  }

  /** Also where there is nothing to count: then, too, the counts go with the customer's newest import. */
  async write(connection: ImportConnection, customerId: number): Promise<void> {
    const rows = [...this.deltas]
      .filter(([, delta]) => delta !== 0)
      .map(([key, delta]) => [...key.split(' '), delta]);
    this.deltas.clear();
    if (rows.length > 0) await add(connection, customerId, rows);
    if (this.keys.size > 0) await addKeys(connection, customerId, [...this.keys.values()]);
    this.keys.clear();
    if (await followsOn(connection, customerId)) return;
    await countWithoutTypes(connection, customerId);
    await findKeys(connection, customerId);
  }
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
