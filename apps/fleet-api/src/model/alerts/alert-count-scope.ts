/**
 * `scope_kind` of `fleet.alert_counts`. Customers and workspaces are also counted over all types: totals without a type
 * filter read one row instead of one per type.
 */
export const ALERT_COUNT_SCOPE = {
  customer: 0,
  workspace: 1,
  apiKey: 2,
  customerAllTypes: 3,
  workspaceAllTypes: 4,
} as const;

/** `scope_id` of alerts without a workspace. */
export const NO_WORKSPACE = 0;
