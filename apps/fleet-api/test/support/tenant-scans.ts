import type pg from 'pg';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'CTE Name'?: string;
  'Subplan Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  'Join Filter'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/** The customer of a row as a constant, or that of a row which has a condition itself. */
const CUSTOMER = /\bcustomer_id(?: \+ 0\))? = (?:ANY \()?(?:'?[$\d{]|(?:\w+|"[^"]+")\.customer_id\b)/;

/** The columns that restrict a table to workspaces: its own, or the key of a row that is in scope. */
const WORKSPACES: Record<string, RegExp[]> = {
  alerts: [/\bworkspace_id\b/],
  alert_past_states: [/\bworkspace_id\b/],
  gpus: [/\bworkspace_id\b/],
  entities: [/\bworkspace_id\b/],
  // The workspaces are the scope, or those of an API key.
  alert_counts: [/\bscope_kind = /, /\bscope_id = ANY|\bworkspace_id\b/],
  metric_days: [/\bscope_kind = /, /\bworkspace_id = /],
  entity_counts: [/\bscope_kind = /, /\bworkspace_id = /],
  alert_details: [/\balert_id = /],
  alert_timeline_events: [/\balert_id = /],
  workspaces: [/\bworkspace_id = /],
  host_samples: [/\bhostname = /],
  gpu_days: [/\bgpu_id = /],
  gpu_samples: [/\bgpu_id = /],
  gpu_day_sums: [/\bgpu_id = /],
  gpu_xid_events: [/\bgpu_id = /],
  gpu_processes: [/\bgpu_id = /],
  gpu_workloads: [/\bgpu_id = /],
};

/** Tables of a customer as a whole: they select rows of others, and the caller sees none of their rows. */
const OF_CUSTOMERS = ['data_versions', 'alert_words'];

/**
 * Returns the tenant tables that a statement scans without a condition on the customer and, for a caller with some
 * workspaces, on the workspaces.
 *
 * A common table expression may leave the workspaces to the statement's reads of it, except for one that counts its rows.
 */
export async function scansOutsideScope(
  client: pg.Client,
  text: string,
  { hasAllWorkspaces }: { hasAllWorkspaces: boolean },
): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (GENERIC_PLAN, COSTS OFF, FORMAT JSON) ${text}`,
  );
  const { Plan: plan } = rows[0]!['QUERY PLAN'][0]!;
  const conditionsOf = conditionsWith(await indexPredicates(client));
  const readers = new Map<string, { node: PlanNode; parent: PlanNode | undefined }[]>();
  walk(plan, (node, [parent]) => {
    const name = node['CTE Name'];
    if (name !== undefined) readers.set(name, [...(readers.get(name) ?? []), { node, parent }]);
  });
  const faults: string[] = [];
  walk(plan, (node, ancestors) => {
    const table = node['Relation Name']?.replace(/_\d{4}_\d\d(?:_\d\d)?$/, '');
    if (table === undefined) return;
    const conditions = conditionsOf(node);
    if (!CUSTOMER.test(conditions)) faults.push(`${table} without the customer`);
    if (hasAllWorkspaces || OF_CUSTOMERS.includes(table)) return;
    const columns = WORKSPACES[table];
    if (columns === undefined) {
      faults.push(`${table}, which WORKSPACES does not contain`);
      return;
    }
    const joins = ancestors.map((ancestor) => ancestor['Join Filter'] ?? '');
    const restricts = (of: string) => columns.every((column) => column.test(of));
    const cte = ancestors.find((ancestor) => ancestor['Subplan Name']?.startsWith('CTE '));
    const reads = readers.get(cte?.['Subplan Name']?.slice('CTE '.length) ?? '') ?? [];
    const isRead = reads.some(({ node: reader }) => restricts(conditionsOf(reader)));
    const isOnlyCounted = ({ node: reader, parent }: (typeof reads)[number]) =>
      reader.Filter === undefined && parent?.['Node Type'] === 'Aggregate';
    if (
      // A row passes the conditions of its scan and those of the joins.
      !restricts([conditions, ...joins].join(' ')) &&
      !(isRead && reads.every((read) => isOnlyCounted(read) || restricts(conditionsOf(read.node))))
    )
      faults.push(`${table} without the workspaces`);
  });
  return [...new Set(faults)];
}

/** A plan does not show conditions that a partial index implies. */
async function indexPredicates(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; predicate: string }>(
    `SELECT i.relname AS name, pg_get_expr(x.indpred, x.indrelid) AS predicate FROM pg_index x
     JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indpred IS NOT NULL`,
  );
  return new Map(rows.map(({ name, predicate }) => [name, predicate]));
}

function conditionsWith(predicates: ReadonlyMap<string, string>) {
  return function conditionsOf(node: PlanNode): string {
    const own = [node['Index Cond'], node['Recheck Cond'], node.Filter];
    const ofIndex = predicates.get(node['Index Name'] ?? '');
    // The condition of a bitmap is that of its index scans.
    const isBitmap = node['Node Type'].startsWith('Bitmap') && node['Node Type'] !== 'Bitmap Index Scan';
    const ofBitmap = isBitmap ? (node.Plans ?? []).map(conditionsOf) : [];
    return [...own, ofIndex, ...ofBitmap].join(' ');
  };
}

/** @param visit called with each node and its ancestors, the nearest one first */
function walk(
  node: PlanNode,
  visit: (node: PlanNode, ancestors: PlanNode[]) => void,
  ancestors: PlanNode[] = [],
): void {
  visit(node, ancestors);
  for (const child of node.Plans ?? []) walk(child, visit, [node, ...ancestors]);
}
