import { Injectable } from '@nestjs/common';
import {
  type Access,
  type AlertDetail,
  type AlertGpuDetails,
  isUuid,
  type ResourceDetails,
} from '@gpu-observatory/domain-types';
import { DomainError, echo, fleetErrors } from '@gpu-observatory/service-runtime/process';
import { parseAlertDoc } from '../../model/alerts/alert-document.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import type { TenantStatement } from '../access/tenant-statement.ts';
import { CoalescedDataVersions } from '../data-version/coalesced-data-versions.ts';
import {
  ALERT_DATA,
  ALL_DATA,
  type DataKind,
  type DataVersion,
  firstFound,
  type FoundRow,
} from '../data-version/data-version.ts';
import type { ConditionalResponse } from '../http-cache/conditional-response.ts';
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
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly versions: CoalescedDataVersions,
  ) {}

  /** @throws {DomainError} `invalid_query` if `id` is not a UUID */
  detail(access: Access, id: string): ConditionalResponse {
    assertUuid(id);
    return {
      // The detail also contains telemetry: the inventory of the GPU and the name of the workspace.
      readValidators: async () => ({ data: await this.versions.readForCaller(access, ALL_DATA) }),
      compute: async () => {
        const row = await this.find<AlertDetailRow>(access, id, ALERT_DETAIL, ALL_DATA);
        return { data: row.data, body: { alert: toDetail(row) } };
      },
    };
  }

  /** @throws {DomainError} `invalid_query` if `id` is not a UUID */
  timeline(access: Access, id: string): ConditionalResponse {
    assertUuid(id);
    return {
      readValidators: async () => ({ data: await this.versions.readForCaller(access, ALERT_DATA) }),
      compute: async () => {
        const { docs, data } = await this.find<TimelineRow>(access, id, TIMELINE, ALERT_DATA);
        return { data, body: Buffer.from(`{"timeline_events":[${docs}]}`) };
      },
    };
  }

  /** @throws {DomainError} `not_found` when the alert does not exist or the caller may not read it */
  private async find<Row extends { customer_id: number }>(
    access: Access,
    id: string,
    statement: TenantStatement<{ id: string }>,
    kinds: readonly DataKind[],
  ): Promise<Row & { data: DataVersion }> {
    const rows = await this.tenants.query<FoundRow<Row>>(access, () => statement.with({ id }), {
      isQuick: true,
    });
    const byCustomer = (a: Row, b: Row) => a.customer_id - b.customer_id;
    return firstFound(rows, byCustomer, kinds, `There is no alert ${id}.`);
  }
}

function assertUuid(id: string): void {
  if (!isUuid(id))
    throw new DomainError(fleetErrors.invalidQuery, `The alert id must be a UUID, got "${echo(id)}".`);
}

function toDetail(row: AlertDetailRow): AlertDetail {
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
