import { Injectable } from '@nestjs/common';
import type { Access, AlertDetail, AlertGpuDetails, ResourceDetails } from '@gpu-observatory/domain-types';
import { parseAlertDoc } from '../../model/alerts/alert-document.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import {
  ALERT_DATA,
  ALL_DATA,
  type DataVersion,
  firstFound,
  type FoundRow,
} from '../data-version/data-version.ts';
import { ALERT_DETAIL, TIMELINE } from './alert-detail.statements.ts';

/** Current inventory of an alert's GPU. */
type GpuInventory = Pick<
  AlertGpuDetails,
  'model' | 'vendor' | 'driver_version' | 'firmware_version' | 'serial_number' | 'host_id' | 'node'
>;

interface AlertDetailRow {
  /** JSON of the list item. */
  doc: string;
  customer_id: number;
  workspace_name: string | null;
  session_id: string | null;
  host_id: string | null;
  /** JSON of `ResourceDetails`. */
  resource_details: string;
  /** Null when no such GPU is known. */
  gpu: GpuInventory | null;
}

interface TimelineRow {
  customer_id: number;
  /** JSON of the events, separated by commas, oldest first. */
  docs: string;
}

/** Reads single alerts and their timelines. Ids are unique within a customer; of equal ids, the lowest customer id is read. */
@Injectable()
export class AlertDetailService {
  constructor(private readonly tenants: TenantDatabase) {}

  /** @returns null when the alert does not exist or the caller may not read it */
  async find(access: Access, id: string): Promise<(AlertDetailRow & { data: DataVersion }) | null> {
    const statementOf = () => ALERT_DETAIL.with({ id });
    const rows = await this.tenants.query<FoundRow<AlertDetailRow>>(access, statementOf, { isQuick: true });
    return firstFound(rows, byCustomer, ALL_DATA);
  }

  /** @returns null when the alert does not exist or the caller may not read it */
  async timeline(access: Access, id: string): Promise<(TimelineRow & { data: DataVersion }) | null> {
    const statementOf = () => TIMELINE.with({ id });
    const rows = await this.tenants.query<FoundRow<TimelineRow>>(access, statementOf, { isQuick: true });
    return firstFound(rows, byCustomer, ALERT_DATA);
  }
}

function byCustomer(a: { customer_id: number }, b: { customer_id: number }): number {
  return a.customer_id - b.customer_id;
}

export function toDetail(row: AlertDetailRow): AlertDetail {
  const { gpu_model: _model, gpu_serial: _serial, ...item } = parseAlertDoc(row.doc);
  return {
    ...item,
    workspace_name: row.workspace_name ?? '',
    customer_id: row.customer_id,
    // Placeholders, see docs/fleet-api.md#alert-detail.
    summary_data: {
      alert_info: { title: item.title, description: item.description },
      alert_sequence: { steps: [] },
    },
    resource_details: withInventory(JSON.parse(row.resource_details) as ResourceDetails, row.gpu),
    correlated_alerts: { correlated_alerts: [] },
    ...(row.session_id !== null && row.host_id !== null
      ? { session_id: row.session_id, host_id: row.host_id }
      : {}),
  };
}

/** Fills the empty inventory fields of the GPU section. Empty readings stay empty: those at the time of the alert are unknown. */
function withInventory(details: ResourceDetails, inventory: GpuInventory | null): ResourceDetails {
  const { gpu_details: gpu } = details;
  if (gpu === null || inventory === null) return details;
  const missing = Object.entries(inventory).filter(([field]) => gpu[field as keyof GpuInventory] === '');
  return { ...details, gpu_details: { ...gpu, ...Object.fromEntries(missing) } };
}
