import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { type PositionRow, positionsSql } from '../data-version/data-version.ts';
import { TenantDatabase } from '../access/tenant-database.ts';

export interface AlertDetailRow {
  /** The list item's JSON. */
  doc: string;
  customer_id: number;
  workspace_name: string | null;
  session_id: string | null;
  host_id: string | null;
  /** The six sections' JSON. */
  resource_details: string;
  positions: PositionRow[];
}

export interface TimelineRow {
  /** The events' JSON in the order of their times, separated by commas. */
  docs: string;
  positions: PositionRow[];
}

/** Reads single alerts and their timelines. An id is its customer's: two customers may have one each. */
@Injectable()
export class AlertDetailQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /** @returns null when there is none, or none that the caller may see */
  async find(access: Access, id: string): Promise<AlertDetailRow | null> {
    const [row] = await this.tenants.query<AlertDetailRow>(
      access,
      (
        statement,
      ) => `SELECT a.doc, a.customer_id, w.name AS workspace_name, d.session_id, d.host_id, d.resource_details,
          (${positionsSql(statement)}) AS positions
        FROM fleet.alerts a
        JOIN fleet.alert_details d ON d.customer_id = a.customer_id AND d.alert_id = a.id AND d.created_at = a.created_at
        LEFT JOIN fleet.workspaces w ON w.customer_id = a.customer_id AND w.workspace_id = a.workspace_id
        WHERE a.id = ${statement.value(id)}::uuid AND ${statement.rows('a')}
        ORDER BY a.customer_id`,
    );
    return row ?? null;
  }

  /** @returns null when there is no such alert, or none that the caller may see */
  async timeline(access: Access, id: string): Promise<TimelineRow | null> {
    const [row] = await this.tenants.query<TimelineRow>(
      access,
      (statement) => `SELECT coalesce((
          SELECT string_agg(e.doc, ',' ORDER BY e.ts, e.digest) FROM fleet.alert_timeline_events e
          WHERE e.customer_id = a.customer_id AND e.alert_id = a.id), '') AS docs,
          (${positionsSql(statement)}) AS positions
        FROM fleet.alerts a
        WHERE a.id = ${statement.value(id)}::uuid AND ${statement.rows('a')}
        ORDER BY a.customer_id`,
    );
    return row ?? null;
  }
}
