/**
 * `scope_kind` of `fleet.alert_counts`. Each is also counted over all types: totals without a type filter read one row
 * instead of one per type. Customers and workspaces are also counted by type alone: a summary without filters reads these
 * two, an eighth of the rows.
 */
export const ALERT_COUNT_SCOPE = {
  customer: 0,
  workspace: 1,
  apiKey: 2,
  customerAllTypes: 3,
  workspaceAllTypes: 4,
  customerTypes: 5,
  apiKeyAllTypes: 6,
  workspaceTypes: 7,
} as const;

/** Severity and state of the counts by type alone, which are over all of them. */
export const ALL_MEMBERS = -1;

/** `scope_id` of alerts without a workspace. */
export const NO_WORKSPACE = 0;

/** Scopes without hours: of a workspace or API key, an hour has about as many combinations as alerts. */
export const SCOPES_OF_DAYS: ReadonlySet<number> = new Set<number>([
  ALERT_COUNT_SCOPE.workspace,
  ALERT_COUNT_SCOPE.apiKey,
  ALERT_COUNT_SCOPE.apiKeyAllTypes,
]);
