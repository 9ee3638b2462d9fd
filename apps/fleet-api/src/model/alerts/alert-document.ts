import {
  ALERT_STATES,
  type AlertListItem,
  type AlertState,
  SEVERITIES,
  type Severity,
} from '@gpu-observatory/domain-types';

/** Returns the rank that `fleet.alerts` stores, so that an index sorts severities in the order of the API. */
export function severityRank(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

/** Returns the rank that `fleet.alerts` stores for a state. */
export function stateRank(state: AlertState): number {
  return ALERT_STATES.indexOf(state);
}

/**
 * Renders the JSON of a list item, which `fleet.alerts.doc` stores: a page concatenates these texts instead of
 * serializing rows. `id` must be the first key.
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

/**
 * Text that occurs only between two documents: `id` is the first key of each (`renderAlertDoc`), and JSON escapes quotes within a
 * string.
 */
const DOC_SEPARATOR = ',{"id":"';

/** Returns the last one of documents that are separated by commas. */
export function lastDocOf(docs: string): string {
  return docs.slice(docs.lastIndexOf(DOC_SEPARATOR) + 1);
}

/** Returns the documents before the last one; empty if there is only one. */
export function docsBeforeLast(docs: string): string {
  return docs.slice(0, Math.max(0, docs.lastIndexOf(DOC_SEPARATOR)));
}
