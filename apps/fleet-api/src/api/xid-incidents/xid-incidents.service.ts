import { Injectable } from '@nestjs/common';
import { type Access, formatTimestamp } from '@gpu-observatory/domain-types';
import { z } from 'zod';
import { XidCatalog } from '../../model/health/xid-catalog.ts';
import { type AccessScope, customerIdsOf, rangeOf, type ScopeFilter } from '../access/access-scope.ts';
import type { ReadCost } from '../access/read-limiter.ts';
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
import { mergeByKey } from '../merge-by-key.ts';
import { keyInteger, keyText, keyTime } from '../paging/page-token.ts';
import { pageOf, type PageQuery, requestedPage } from '../paging/list-page.ts';
import { isLongWindow } from '../query-parameters/requested-window.ts';
import type { XidGrouping } from './xid-incidents.dto.ts';
import type {
  XidIncidentGroupModel,
  XidIncidentListModel,
  XidIncidentModel,
} from './xid-incidents.models.ts';
import {
  type GroupParameters,
  type PageParameters,
  XID_INCIDENT_GROUPS,
  XID_INCIDENTS,
} from './xid-incidents.statements.ts';

/** Filters of incidents. A filter is null for all incidents. */
export interface XidIncidentFilter {
  scope: ScopeFilter;
  fromMs: number;
  /** Exclusive. */
  toMs: number;
  codes: number[] | null;
  hostname: string | null;
  gpuId: string | null;
  alertId: string | null;
}

/** Sort key of an incident: time, customer, GPU, code and digest, all descending. */
const sortKey = z.tuple([keyTime, keyInteger, keyText, keyInteger, z.guid()]);
type SortKey = z.infer<typeof sortKey>;

interface IncidentRow {
  customer_id: number;
  at: Date;
  gpu_id: string;
  code: number;
  digest: string;
  message: string;
  alert_id: string | null;
  hostname: string;
  workspace_id: number;
  count: number;
  last_at: Date;
  workloads: XidIncidentModel['workloads'];
}

interface GroupRow {
  customer_id: number;
  key: string;
  incidents: number;
  gpus: number;
  hosts: number;
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
    { isExport = false }: Pick<ReadCost, 'isExport'> = {},
  ): Promise<IncidentList> {
    const customerIds = customerIdsOf(access, filter.scope);
    const page = requestedPage(query, { sortKey, customerIds });
    const position = { after: page.token?.after ?? null, limit: page.size + 1 };
    const found = await this.tenants.query<FoundRow<IncidentRow>>(
      access,
      (scope) => incidentsStatement(scope, filter, position),
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
      ...filterParameters(filter),
      to: new Date(filter.toMs),
      groupBy,
      // The largest groups of several customers together may be small groups of each.
      limit: customerIdsOf(access, filter.scope).length > 1 ? null : limit,
    };
    const rows = await this.tenants.query<FoundRow<GroupRow>>(
      access,
      (scope) => groupsStatement(scope, parameters),
      { filter: filter.scope, isSlow: isLongWindow(filter) },
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

function filterParameters({ fromMs, codes, hostname, gpuId, alertId }: XidIncidentFilter) {
  return { from: new Date(fromMs), codes, hostname, gpuId, alertId };
}

/** Selects the statement whose index serves the filter best: by alert, GPU, host, GPUs in scope, code, or time. */
function incidentsStatement(
  scope: AccessScope,
  filter: XidIncidentFilter,
  { after, limit }: { after: SortKey | null; limit: number },
): BoundStatement {
  const parameters = {
    ...filterParameters(filter),
    ...startAfter(scope.customerId, after, filter.toMs),
    limit,
  };
  if (filter.alertId !== null) return XID_INCIDENTS.alert.with(parameters);
  if (filter.gpuId !== null) return XID_INCIDENTS.gpu.with(parameters);
  if (filter.hostname !== null) return XID_INCIDENTS.host.with(parameters);
  if (rangeOf(scope) !== 'customer') return XID_INCIDENTS.scope.with(parameters);
  return XID_INCIDENTS.all[filter.codes === null ? 'time' : 'code'].with(parameters);
}

function groupsStatement(scope: AccessScope, parameters: GroupParameters): BoundStatement {
  const { hostname, gpuId, alertId } = parameters;
  const isOfAllGpus =
    rangeOf(scope) === 'customer' && hostname === null && gpuId === null && alertId === null;
  return XID_INCIDENT_GROUPS[isOfAllGpus ? 'all' : 'scope'].with(parameters);
}

/** Position after all incidents of a time, since the list is sorted in descending order. */
const LAST_OF_TIME = { afterGpu: '', afterCode: 0, afterDigest: '00000000-0000-0000-0000-000000000000' };

/**
 * Returns the position after which the rows of a customer start. The list is sorted by time, then by customer, both descending: at the
 * time of the last row served, the rows of customers with a higher id have been served, and those with a lower id have not.
 *
 * @param after sort key of the last row served; null on the first page
 */
function startAfter(
  customerId: number,
  after: SortKey | null,
  toMs: number,
): Pick<PageParameters, 'afterAt' | 'afterGpu' | 'afterCode' | 'afterDigest'> {
  if (after === null) return { afterAt: new Date(toMs), ...LAST_OF_TIME };
  const [atMs, lastCustomerId, afterGpu, afterCode, afterDigest] = after;
  if (customerId > lastCustomerId) return { afterAt: new Date(atMs), ...LAST_OF_TIME };
  if (customerId < lastCustomerId) return { afterAt: new Date(atMs + 1), ...LAST_OF_TIME };
  return { afterAt: new Date(atMs), afterGpu, afterCode, afterDigest };
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
  return groups.sort((a, b) => b.incidents - a.incidents || (a.key < b.key ? -1 : 1));
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
