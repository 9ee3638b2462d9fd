import { Injectable } from '@nestjs/common';
import type { Access, AlertGpuDetails } from '@gpu-observatory/domain-types';
import { findRow } from '../access/find-row.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import { ALERT_DATA, ALL_DATA, type DataVersion } from '../data-version/data-version.ts';

/** Inventory of an alert's GPU as of the request. */
export type KnownGpu = Pick<
  AlertGpuDetails,
  'model' | 'vendor' | 'driver_version' | 'firmware_version' | 'serial_number' | 'host_id' | 'node'
>;

export interface AlertDetailRow {
  /** JSON of the list item. */
  doc: string;
  customer_id: number;
  workspace_name: string | null;
  session_id: string | null;
  host_id: string | null;
  /** JSON of the six sections. */
  resource_details: string;
  gpu: KnownGpu | null;
}

interface TimelineRow {
  customer_id: number;
  /** JSON of the events, separated by commas, oldest first. */
  docs: string;
}

/** Reads single alerts and their timelines. Ids are unique per customer: two customers may use the same one. */
@Injectable()
export class AlertDetailQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** @returns null when the alert does not exist or the caller may not read it */
  find(access: Access, id: string): Promise<(AlertDetailRow & { data: DataVersion }) | null> {
    return findRow<AlertDetailRow>(this.tenants, access, {
      select: (
        statement,
      ) => `SELECT a.doc, a.customer_id, w.name AS workspace_name, d.session_id, d.host_id, d.resource_details,
          CASE WHEN g.gpu_id IS NOT NULL THEN json_build_object('model', g.model, 'vendor', g.vendor,
            'driver_version', g.driver_version, 'firmware_version', g.firmware_version, 'serial_number', g.serial_no,
            'host_id', g.hostname, 'node', g.hostname) END AS gpu
        FROM fleet.alerts a
        JOIN fleet.alert_details d ON ${statement.customer('d')} AND d.alert_id = a.id AND d.created_at = a.created_at
        LEFT JOIN fleet.workspaces w ON ${statement.customer('w')} AND w.workspace_id = a.workspace_id
        LEFT JOIN fleet.gpus g ON ${statement.customer('g')} AND g.gpu_id = a.gpu_id AND ${statement.rows('g')}
        WHERE a.id = ${statement.value(id)}::uuid AND ${statement.rows('a')}`,
      compare: byCustomer,
      kinds: ALL_DATA,
      isQuick: true,
    });
  }

  /** @returns null when the alert does not exist or the caller may not read it */
  timeline(access: Access, id: string): Promise<(TimelineRow & { data: DataVersion }) | null> {
    return findRow<TimelineRow>(this.tenants, access, {
      select: (statement) => `SELECT a.customer_id, coalesce((
          SELECT string_agg(e.doc, ',' ORDER BY e.ts, e.digest) FROM fleet.alert_timeline_events e
          WHERE ${statement.customer('e')} AND e.alert_id = a.id), '') AS docs
        FROM fleet.alerts a
        WHERE a.id = ${statement.value(id)}::uuid AND ${statement.rows('a')}`,
      compare: byCustomer,
      kinds: ALERT_DATA,
      isQuick: true,
    });
  }
}

function byCustomer(a: { customer_id: number }, b: { customer_id: number }): number {
  return a.customer_id - b.customer_id;
}
