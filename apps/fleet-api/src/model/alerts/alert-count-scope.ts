/** A kind of rows of `fleet.alert_counts`: whose alerts they count, and by which columns. */
export interface AlertCountScope {
  /** `scope_kind`. */
  kind: number;
  owner: 'customer' | 'workspace' | 'apiKey';
  /** Severity, state and type; severity and state, with `ANY_TYPE`; type, with `ANY_RANK` as severity and state. */
  groupedBy: 'all' | 'severityAndState' | 'type';
  /** Whether hours are counted in addition to months and days. */
  hasHours: boolean;
}

/**
 * The rows that count an alert. `severityAndState` is for totals without a type filter: one row instead of one per type. Together with
 * `type`, it is for summaries without filters: an eighth of the rows. API keys have no counts by `type`; their summaries read `all`.
 * Workspaces and API keys have no counts by hour of `all`: an hour has about as many combinations of the three as alerts.
 */
export const ALERT_COUNT_SCOPES: readonly AlertCountScope[] = [
  { kind: 0, owner: 'customer', groupedBy: 'all', hasHours: true },
  { kind: 1, owner: 'workspace', groupedBy: 'all', hasHours: false },
  { kind: 2, owner: 'apiKey', groupedBy: 'all', hasHours: false },
  { kind: 3, owner: 'customer', groupedBy: 'severityAndState', hasHours: true },
  { kind: 4, owner: 'workspace', groupedBy: 'severityAndState', hasHours: true },
  { kind: 5, owner: 'customer', groupedBy: 'type', hasHours: true },
  { kind: 6, owner: 'apiKey', groupedBy: 'severityAndState', hasHours: false },
  { kind: 7, owner: 'workspace', groupedBy: 'type', hasHours: true },
];

/** Severity and state of counts by type alone. */
export const ANY_RANK = -1;
/** Type of counts by severity and state alone. */
export const ANY_TYPE = '';

/** `scope_id` of alerts without a workspace. */
export const NO_WORKSPACE = 0;
