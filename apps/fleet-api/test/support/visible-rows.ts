import { ALERT_COUNT_SCOPES, NO_WORKSPACE } from '../../src/model/alerts/alert-count-scope.ts';
import { SCOPE_KIND } from '../../src/model/metrics/rollup-scope.ts';
import type { AccessScope } from '../../src/api/access/access-scope.ts';

const countsOf = (owner: 'workspace' | 'apiKey') =>
  `c.scope_kind IN (${ALERT_COUNT_SCOPES.filter((scope) => scope.owner === owner)
    .map(({ kind }) => kind)
    .join(', ')})`;
const WORKSPACE_COUNTS = countsOf('workspace');
const KEY_COUNTS = countsOf('apiKey');

/** Tables with rows of a parent, and the columns of the key of both. */
const CHILDREN: [table: string, parent: string, column: string, id: string][] = [
  ['alert_details', 'alerts', 'alert_id', 'id'],
  ['alert_timeline_events', 'alerts', 'alert_id', 'id'],
  ...['gpu_days', 'gpu_day_sums', 'gpu_samples', 'gpu_xid_events', 'gpu_processes', 'gpu_workloads'].map(
    (table): [string, string, string, string] => [table, 'gpus', 'gpu_id', 'gpu_id'],
  ),
];

/**
 * Returns statements that delete all rows outside the scopes, by table. The access rule in its simplest form, written without
 * the predicates of the service.
 */
export function deletionsOutside(scopes: readonly AccessScope[]): Map<string, string> {
  const outside = (alias: string, within: (scope: AccessScope) => string) =>
    scopes
      .map((scope) => `NOT (${alias}.customer_id = ${scope.customerId} AND ${within(scope)})`)
      .join(' AND ');
  const owned = (alias: string) =>
    outside(
      alias,
      (scope) => `${listed(scope, `${alias}.workspace_id`, null)} AND ${key(scope, `${alias}.api_key_id`)}`,
    );
  const rollup = outside('c', (scope) => {
    if (scope.apiKeyId !== undefined)
      return `c.scope_kind = ${SCOPE_KIND.apiKey} AND ${key(scope, 'c.api_key_id')} AND ${listed(scope, 'c.workspace_id', 0)}`;
    return scope.workspaceIds === 'all'
      ? 'true'
      : `c.scope_kind <> ${SCOPE_KIND.customer} AND ${listed(scope, 'c.workspace_id', 0)}`;
  });
  const alertCounts = outside('c', (scope) => {
    const isOfKey = `${KEY_COUNTS} AND ${key(scope, 'c.scope_id')} AND ${listed(scope, 'c.workspace_id', NO_WORKSPACE)}`;
    if (scope.apiKeyId !== undefined) return isOfKey;
    return scope.workspaceIds === 'all'
      ? 'true'
      : `(${WORKSPACE_COUNTS} AND ${listed(scope, 'c.scope_id', NO_WORKSPACE)} OR ${isOfKey})`;
  });
  const conditions: [table: string, where: string][] = [
    ...['alerts', 'alert_past_states', 'gpus', 'entities'].map((table): [string, string] => [
      table,
      owned('c'),
    ]),
    ['workspaces', outside('c', (scope) => listed(scope, 'c.workspace_id', 0))],
    ['metric_days', rollup],
    ['entity_counts', rollup],
    ['alert_counts', alertCounts],
    ...['data_versions', 'alert_words'].map((table): [string, string] => [table, outside('c', () => 'true')]),
    [
      'host_samples',
      "NOT EXISTS (SELECT FROM fleet.entities p WHERE p.customer_id = c.customer_id AND p.kind = 'host' AND p.entity_id = c.hostname)",
    ],
    ...CHILDREN.map(([table, parent, column, id]): [string, string] => [
      table,
      `NOT EXISTS (SELECT FROM fleet.${parent} p WHERE p.customer_id = c.customer_id AND p.${id} = c.${column})`,
    ]),
  ];
  return new Map(conditions.map(([table, where]) => [table, `DELETE FROM fleet.${table} c WHERE ${where}`]));
}

/** @param none the value of rows without a workspace */
function listed({ workspaceIds }: AccessScope, column: string, none: number | null): string {
  if (workspaceIds === 'all') return 'true';
  const ids = workspaceIds.map((id) => id ?? none).filter((id) => id !== null);
  const isNone = workspaceIds.includes(null) && none === null ? `${column} IS NULL` : 'false';
  return `(${isNone} OR coalesce(${column} = ANY ('{${ids.join(',')}}'), false))`;
}

const key = ({ apiKeyId }: AccessScope, column: string) =>
  apiKeyId === undefined ? 'true' : `coalesce(${column} = ${apiKeyId}, false)`;
