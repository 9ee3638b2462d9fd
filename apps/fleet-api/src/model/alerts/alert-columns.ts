/**
 * The columns that both `fleet.alerts` and `fleet.alert_past_states` have. Filters, sorts, groups and pages may read no others, because
 * later pages also read past states.
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
