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
export const SCOPE = { customer: 0, workspace: 1, apiKey: 2 } as const;
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

  add(alert: CountedAlert, delta: 1 | -1): void {
    const scopes: [number, number][] = [
      [SCOPE.customer, 0],
      [SCOPE.workspace, alert.workspace_id ?? NO_WORKSPACE],
    ];
    if (alert.api_key_id !== null) scopes.push([SCOPE.apiKey, alert.api_key_id]);
    for (const [kind, id] of scopes) {
      for (const grain of [GRAIN.month, GRAIN.day, GRAIN.hour]) {
        if (kind === SCOPE.apiKey && grain === GRAIN.hour) continue;
        // The time is RFC 3339 UTC: its head is the bucket.
        const bucket = alert.created_at.slice(0, BUCKET_LENGTH[grain]) + BUCKET_REST[grain];
        const key = [kind, id, grain, bucket, alert.severity, alert.state, alert.type].join(' ');
        this.deltas.set(key, (this.deltas.get(key) ?? 0) + delta);
      }
    }
  }

  async write(connection: ImportConnection, customerId: number): Promise<void> {
    const rows = [...this.deltas]
      .filter(([, delta]) => delta !== 0)
      .map(([key, delta]) => [...key.split(' '), delta]);
    this.deltas.clear();
    if (rows.length === 0) return;
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
}
