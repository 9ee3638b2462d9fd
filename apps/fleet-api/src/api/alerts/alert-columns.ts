/**
 * The columns of `fleet.alerts` and `fleet.alert_past_states` that filters, sorts, groups and pages may read. Later pages read
 * past states through a relation with these columns only.
 */
export const ALERT_COLUMNS = [
  'customer_id',
  'id',
  'created_at',
  'workspace_id',
  'api_key_id',
  'severity',
  'state',
  'type',
  'hostname',
  'title',
  'description',
  'gpu_id',
  'seq',
  'doc',
] as const;
export type AlertColumn = (typeof ALERT_COLUMNS)[number];
