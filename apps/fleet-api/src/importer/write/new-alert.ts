import { type AlertListItem, ALERT_STATES } from '@gpu-observatory/domain-types';
import { completeResourceDetails } from '../../model/alerts/resource-sections.ts';
import type { AlertRecord, Attributed } from '../records/records.ts';
import type { AlertDetails } from './stored-alerts.ts';

/** Returns the list item of a new alert. */
export function listItemOf(record: Attributed<AlertRecord>): AlertListItem {
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

export function gpuIdOf({ gpu_id, resource_details }: AlertRecord): string | null {
  return gpu_id ?? resource_details?.gpu_details?.gpu_id ?? null;
}

/** Returns the fields of a new alert that are stored in `fleet.alert_details`. */
export function detailsOf(record: AlertRecord): AlertDetails {
  const { created_at, hostname = null, gpu_model = null, gpu_serial = null } = record;
  const alert = { created_at, hostname, gpu_id: gpuIdOf(record), gpu_model, gpu_serial };
  return {
    session_id: record.session_id ?? null,
    host_id: record.host_id ?? null,
    resource_details: JSON.stringify(completeResourceDetails(record.resource_details ?? {}, alert)),
  };
}
