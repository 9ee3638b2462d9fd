/** A kind of rows of `fleet.alert_counts`: whose alerts they count, and what they split them by. */
export interface AlertCountScope {
  /** `scope_kind`. */
  kind: number;
  of: 'customer' | 'workspace' | 'apiKey';
  /** Severity, state and type; severity and state, with an empty type; type, with `ALL_MEMBERS` as severity and state. */
  by: 'all' | 'severityAndState' | 'type';
  /** Whether hours are counted in addition to months and days. */
  hasHours: boolean;
}

/**
 * The rows that count an alert. Totals without a type filter read one row instead of one per type, and a summary without filters
 * reads severities and states apart from types, an eighth of the rows. Of a workspace or API key, an hour has about as many
 * combinations of all three as alerts.
 */
export const ALERT_COUNT_SCOPES: readonly AlertCountScope[] = [
  { kind: 0, of: 'customer', by: 'all', hasHours: true },
  { kind: 1, of: 'workspace', by: 'all', hasHours: false },
  { kind: 2, of: 'apiKey', by: 'all', hasHours: false },
  { kind: 3, of: 'customer', by: 'severityAndState', hasHours: true },
  { kind: 4, of: 'workspace', by: 'severityAndState', hasHours: true },
  { kind: 5, of: 'customer', by: 'type', hasHours: true },
  { kind: 6, of: 'apiKey', by: 'severityAndState', hasHours: false },
  { kind: 7, of: 'workspace', by: 'type', hasHours: true },
];

/** Severity and state of the counts by type alone, which are over all of them. */
export const ALL_MEMBERS = -1;

/** `scope_id` of alerts without a workspace. */
export const NO_WORKSPACE = 0;
