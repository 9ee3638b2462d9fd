/** Kind of rows of `fleet.alert_counts`, defined by the owner of the alerts and the columns that they are counted by. */
export interface AlertCountScope {
  /** `scope_kind`. */
  kind: number;
  owner: 'customer' | 'workspace' | 'apiKey';
  /** `all`: severity, state and type. `severityAndState`: the type is `ANY_TYPE`. `type`: severity and state are `ANY_RANK`. */
  groupedBy: 'all' | 'severityAndState' | 'type';
  /** Whether hours are counted in addition to months and days. */
  hasHours: boolean;
}

/**
 * Kinds of rows that count an alert. `severityAndState` serves totals without a type filter, with one row instead of one per type.
 * Together with `type` it serves summaries without filters, with an eighth of the rows. API keys have no counts by `type`; their
 * summaries read `all`. Workspaces and API keys have no `all` by hour: an hour has about as many combinations of severity, state
 * and type as alerts.
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
