import { Injectable } from '@nestjs/common';
import { type Access, formatTimestamp } from '@gpu-observatory/domain-types';
import { z } from 'zod';
import { XidCatalog } from '../../model/health/xid-catalog.ts';
import { type AccessScope, customerIdsOf, rangeOf, type ScopeFilter } from '../access/access-scope.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import type { BoundStatement } from '../access/tenant-statement.ts';
import {
  ALL_DATA,
  type DataVersion,
  dataVersionOf,
  type FoundRow,
  foundRows,
  TELEMETRY_DATA,
} from '../data-version/data-version.ts';
import type { ListOptions } from '../exports/exported-list.ts';
import { mergeByKey } from '../merge-by-key.ts';
import { compareCodePoints } from '../paging/code-points.ts';
import { keyInteger, keyText, keyTime } from '../paging/page-token.ts';
import { pageOf, type PageQuery, type RequestedPage, requestedPage } from '../paging/list-page.ts';
import { isLongWindow } from '../query-parameters/requested-window.ts';
import type { XidGrouping } from './xid-incidents.dto.ts';
import type {
  XidIncidentGroupModel,
  XidIncidentListModel,
  XidIncidentModel,
} from './xid-incidents.models.ts';
import {
  type FilterParameters,
  type GroupParameters,
  type PageParameters,
  XID_INCIDENT_GROUPS,
  XID_INCIDENTS,
} from './xid-incidents.statements.ts';

export interface XidIncidentFilter extends FilterParameters {
  scope: ScopeFilter;
}

/** Sort key of an incident: time, customer, GPU, code and digest, all descending. */
const sortKey = z.tuple([keyTime, keyInteger, keyText, keyInteger, z.guid()]);
type SortKey = z.infer<typeof sortKey>;

interface IncidentRow extends Omit<
  XidIncidentModel,
  'name' | 'severity' | 'action' | 'first_at' | 'last_at'
> {
  customer_id: number;
  at: Date;
  last_at: Date;
  digest: string;
}

interface GroupRow extends Pick<XidIncidentGroupModel, 'incidents' | 'gpus' | 'hosts'> {
  customer_id: number;
  key: string;
  first_at: Date;
  last_at: Date;
}

interface IncidentList {
  body: XidIncidentListModel;
  data: DataVersion;
}

/** Lists the incidents of XIDs. See docs/decisions/xid-incidents.md. */
@Injectable()
export class XidIncidentsService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly xids: XidCatalog,
  ) {}

  /** @throws {DomainError} `invalid_cursor` */
  async list(
    access: Access,
    filter: XidIncidentFilter,
    query: PageQuery,
    { isExport }: ListOptions,
  ): Promise<IncidentList> {
    const customerIds = customerIdsOf(access, filter.scope);
    const page = requestedPage(query, { sortKey, customerIds });
    const parameters = { ...filter, ...startOf(page, filter), limit: page.size + 1 };
    const found = await this.tenants.query<FoundRow<IncidentRow>>(
      access,
      (scope) => incidentsStatement(scope, parameters),
      { filter: filter.scope, isExport },
    );
    const newest = foundRows(found).sort(byNewest);
    const { rows, ...next } = pageOf(newest, page, dataVersionOf(found, TELEMETRY_DATA), keyOf);
    return {
      data: dataVersionOf(found, ALL_DATA),
      body: { incidents: rows.map((row) => this.toIncident(row)), ...next },
    };
  }

  async groups(
    access: Access,
    filter: XidIncidentFilter,
    groupBy: XidGrouping,
    limit: number,
  ): Promise<IncidentList> {
    const parameters = {
      ...filter,
      groupBy,
      // The largest groups of several customers together may be small groups of each.
      limit: customerIdsOf(access, filter.scope).length > 1 ? null : limit,
    };
    const window = { fromMs: filter.from.getTime(), toMs: filter.to.getTime() };
    const rows = await this.tenants.query<FoundRow<GroupRow>>(
      access,
      (scope) => groupsStatement(scope, parameters),
      { filter: filter.scope, isSlow: isLongWindow(window) },
    );
    const groups = mergeGroups(foundRows(rows)).slice(0, limit);
    return {
      data: dataVersionOf(rows, ALL_DATA),
      body: { groups: groups.map((row) => this.toGroup(row, groupBy)) },
    };
  }

  private toIncident(row: IncidentRow): XidIncidentModel {
    const { code, message, gpu_id, hostname, workspace_id, alert_id, count, workloads } = row;
    const { name, severity, action } = this.xids.entry(code, message);
    const times = { first_at: formatTimestamp(row.at), last_at: formatTimestamp(row.last_at) };
    const references = { gpu_id, hostname, workspace_id, alert_id };
    return { code, name, severity, action, ...references, ...times, count, message, workloads };
  }

  private toGroup(
    { key, incidents, gpus, hosts, first_at, last_at }: GroupRow,
    groupBy: XidGrouping,
  ): XidIncidentGroupModel {
    const group = {
      code: () => ({ code: Number(key), name: this.xids.entry(Number(key)).name }),
      host: () => ({ hostname: key }),
      day: () => ({ day: key }),
    }[groupBy]();
    const times = { first_at: formatTimestamp(first_at), last_at: formatTimestamp(last_at) };
    return { ...group, incidents, gpus, hosts, ...times };
  }
}

/** Selects the statement whose index serves the filter best: by alert, GPU, host, GPUs in scope, code, or time. */
function incidentsStatement(scope: AccessScope, parameters: PageParameters): BoundStatement {
  const { alertId, gpuId, hostname, codes } = parameters;
  if (alertId !== null) return XID_INCIDENTS.alert.with(parameters);
  if (gpuId !== null) return XID_INCIDENTS.gpu.with(parameters);
  if (hostname !== null) return XID_INCIDENTS.host.with(parameters);
  if (rangeOf(scope) !== 'customer') return XID_INCIDENTS.scope.with(parameters);
  return XID_INCIDENTS.all[codes === null ? 'time' : 'code'].with(parameters);
}

function groupsStatement(scope: AccessScope, parameters: GroupParameters): BoundStatement {
  const { hostname, gpuId, alertId } = parameters;
  const isOfAllGpus =
    rangeOf(scope) === 'customer' && hostname === null && gpuId === null && alertId === null;
  return XID_INCIDENT_GROUPS[isOfAllGpus ? 'all' : 'scope'].with(parameters);
}

/** Returns the sort key after which a page starts. That of the first page is after all incidents at the end of the window. */
function startOf({ token }: RequestedPage<SortKey>, { to }: XidIncidentFilter) {
  const end: SortKey = [to.getTime(), 0, '', 0, '00000000-0000-0000-0000-000000000000'];
  const [afterMs, afterCustomer, afterGpu, afterCode, afterDigest] = token?.after ?? end;
  return { afterAt: new Date(afterMs), afterCustomer, afterGpu, afterCode, afterDigest };
}

function keyOf({ at, customer_id, gpu_id, code, digest }: IncidentRow): SortKey {
  return [at.getTime(), customer_id, gpu_id, code, digest];
}

/** Compares incidents of several customers. Those of one customer stay in the order of the statement. */
function byNewest(a: IncidentRow, b: IncidentRow): number {
  return b.at.getTime() - a.at.getTime() || b.customer_id - a.customer_id;
}

/** Adds up the groups of several customers, whose GPUs and hosts differ. Groups with the most incidents come first. */
function mergeGroups(rows: readonly GroupRow[]): GroupRow[] {
  const groups = mergeByKey(rows, ({ key }) => key, addGroups);
  return groups.sort((a, b) => b.incidents - a.incidents || compareCodePoints(a.key, b.key));
}

function addGroups(a: GroupRow, b: GroupRow): GroupRow {
  return {
    ...a,
    incidents: a.incidents + b.incidents,
    gpus: a.gpus + b.gpus,
    hosts: a.hosts + b.hosts,
    first_at: a.first_at < b.first_at ? a.first_at : b.first_at,
    last_at: a.last_at > b.last_at ? a.last_at : b.last_at,
  };
}
