import {
  ALERT_STATES,
  type AlertListItem,
  type AlertState,
  SEVERITIES,
  type Severity,
} from '@gpu-observatory/domain-types';

/** Severities and states are stored as ranks, so that an index sorts them as the contract does. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

export function stateRank(state: AlertState): number {
  return ALERT_STATES.indexOf(state);
}

/**
 * The list item's JSON as `fleet.alerts.doc` keeps it: written once a change, so that a page is only put together from
 * texts and never turned from rows into objects into text.
 */
export function renderAlertDoc(item: AlertListItem): string {
  return JSON.stringify({
    id: item.id,
    title: item.title,
    description: item.description,
    type: item.type,
    severity: item.severity,
    state: item.state,
    created_at: item.created_at,
    hostname: item.hostname,
    gpu_model: item.gpu_model,
    gpu_serial: item.gpu_serial,
    workspace_id: item.workspace_id,
    api_key_id: item.api_key_id,
  } satisfies AlertListItem);
}

export function parseAlertDoc(doc: string): AlertListItem {
  return JSON.parse(doc) as AlertListItem;
}
