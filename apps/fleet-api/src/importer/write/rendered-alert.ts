import { type AlertListItem, ALERT_STATES } from '@gpu-observatory/domain-types';
import { renderAlertDoc } from '../../model/alerts/alert-document.ts';
import { completeResourceDetails } from '../../model/alerts/resource-sections.ts';
import type { AlertRecord, Attributed } from '../records/records.ts';
import type { AlertDetails } from './stored-alerts.ts';

/** An alert in the forms that the tables have. */
export interface RenderedAlert {
  item: AlertListItem;
  details: AlertDetails;
  /** JSON of the item. */
  doc: string;
}

export function renderAlert(record: Attributed<AlertRecord>): RenderedAlert {
  const item = toListItem(record);
  return { item, details: toDetails(record), doc: renderAlertDoc(item) };
}

function toListItem(record: Attributed<AlertRecord>): AlertListItem {
  return {
    id: record.id.toLowerCase(),
    title: record.title,
    description: record.description,
    type: record.type,
    severity: record.severity,
    state: record.state ?? ALERT_STATES[0],
    created_at: record.created_at,
    hostname: record.hostname ?? null,
    gpu_model: record.gpu_model ?? null,
    gpu_serial: record.gpu_serial ?? null,
    workspace_id: record.workspace_id,
    api_key_id: record.api_key_id,
  };
}

function toDetails(record: AlertRecord): AlertDetails {
  const sections = record.resource_details ?? {};
  const gpu_id = record.gpu_id ?? sections.gpu_details?.gpu_id ?? null;
  const { created_at, hostname = null, gpu_model = null, gpu_serial = null } = record;
  return {
    gpu_id,
    session_id: record.session_id ?? null,
    host_id: record.host_id ?? null,
    resource_details: JSON.stringify(
      completeResourceDetails(sections, { created_at, hostname, gpu_id, gpu_model, gpu_serial }),
    ),
  };
}
