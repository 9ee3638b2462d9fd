import { inScopeSql } from '../access/scope.sql.ts';
import { TenantStatement } from '../access/tenant-statement.ts';
import { withDataVersion } from '../data-version/data-version.ts';

/** An alert by its id, with its details, workspace and GPU: primary keys. `id` is a UUID. */
export const ALERT_DETAIL = new TenantStatement<{ id: string }>(
  withDataVersion(`
    SELECT a.doc, a.customer_id, w.name AS workspace_name, d.session_id, d.host_id, d.resource_details,
      CASE WHEN g.gpu_id IS NOT NULL THEN json_build_object('model', g.model, 'vendor', g.vendor,
        'driver_version', g.driver_version, 'firmware_version', g.firmware_version, 'serial_number', g.serial_no,
        'host_id', g.hostname, 'node', g.hostname) END AS gpu
    FROM fleet.alerts a
    JOIN fleet.alert_details d ON d.customer_id = :customer AND d.alert_id = a.id AND d.created_at = a.created_at
    LEFT JOIN fleet.workspaces w ON w.customer_id = :customer AND w.workspace_id = a.workspace_id
    LEFT JOIN fleet.gpus g ON ${inScopeSql('g')} AND g.gpu_id = a.gpu_id
    WHERE ${inScopeSql('a')} AND a.id = :id::uuid`),
);

/** The events of an alert, oldest first: primary keys. `id` is a UUID. */
export const TIMELINE = new TenantStatement<{ id: string }>(
  withDataVersion(`
    SELECT a.customer_id, coalesce((
        SELECT string_agg(e.doc, ',' ORDER BY e.ts, e.digest) FROM fleet.alert_timeline_events e
        WHERE e.customer_id = :customer AND e.alert_id = a.id), '') AS docs
    FROM fleet.alerts a
    WHERE ${inScopeSql('a')} AND a.id = :id::uuid`),
);
