import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { DomainError, echo, fleetErrors } from '@gpu-observatory/service-runtime/process';
import type { TimeWindow } from '../../model/time-window.ts';
import { customerIdsOf, type ScopeFilter } from '../access/access-scope.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import {
  ALL_DATA,
  type DataVersion,
  dataVersionOf,
  type FoundRow,
  foundRows,
  TELEMETRY_DATA,
} from '../data-version/data-version.ts';
import type { ListOptions } from '../exports/exported-list.ts';
import type { StatusFilter } from '../gpu-status/status-filter.ts';
import { statusKey, statusPage, statusParameters } from '../gpu-status/status-pages.ts';
import { byLastReport } from '../gpus/gpu-id.ts';
import { windowParameters } from '../gpus/telemetry-window.ts';
import { isLongWindow } from '../query-parameters/requested-window.ts';
import { type PageQuery, requestedPage } from '../paging/list-page.ts';
import { type HostGpuRow, toHost } from './host.ts';
import { type HostDetailRow, toHostDetail } from './host-detail.ts';
import type { HostListModel, HostResponse } from './hosts.models.ts';
import { HOST, HOSTS } from './hosts.statements.ts';

interface ListedGpu extends HostGpuRow {
  sort_key: number;
}

/** Reads hosts with their GPUs. */
@Injectable()
export class HostsService {
  constructor(private readonly tenants: TenantDatabase) {}

  /** @throws {DomainError} `invalid_cursor` */
  async list(
    access: Access,
    filter: StatusFilter,
    query: PageQuery,
    { isExport }: ListOptions,
  ): Promise<{ body: HostListModel; data: DataVersion }> {
    const { scope, window } = filter;
    const customerIds = customerIdsOf(access, scope);
    const page = requestedPage(query, { list: 'hosts', sortKey: statusKey, customerIds });
    const found = await this.tenants.query<FoundRow<ListedGpu>>(
      access,
      () => HOSTS.with(statusParameters(filter, page)),
      { filter: scope, isSlow: isLongWindow(window), isExport },
    );
    const byHost = Map.groupBy(foundRows(found), ({ customer_id, hostname }) => `${customer_id} ${hostname}`);
    const hosts = [...byHost.values()].map((gpus) => {
      // These columns are the same for all GPUs of a host.
      const [{ customer_id, hostname, sort_key }] = gpus as [ListedGpu];
      return { customer_id, hostname, sort_key, gpus };
    });
    const { rows, ...next } = statusPage(hosts, page, dataVersionOf(found, TELEMETRY_DATA));
    return {
      data: dataVersionOf(found, ALL_DATA),
      body: { hosts: rows.map(({ gpus }) => toHost(gpus)), ...next },
    };
  }

  /** @throws {DomainError} `not_found` when no GPU that the caller may read is on the host */
  async find(
    access: Access,
    filter: ScopeFilter,
    hostname: string,
    window: TimeWindow,
  ): Promise<{ body: HostResponse; data: DataVersion }> {
    const found = await this.tenants.query<FoundRow<HostDetailRow>>(
      access,
      () => HOST.with({ ...windowParameters(window), hostname }),
      { filter, isSlow: isLongWindow(window) },
    );
    const rows = foundRows(found);
    // Several customers may have a host of this name: the one that reported last is returned.
    const [newest] = rows.toSorted(byLastReport);
    if (newest === undefined)
      throw new DomainError(
        fleetErrors.notFound,
        `There is no host ${echo(hostname)} with a GPU; GET /hosts lists all hosts.`,
      );
    const gpus = rows.filter(({ customer_id }) => customer_id === newest.customer_id);
    return { data: dataVersionOf(found, ALL_DATA), body: { host: toHostDetail(gpus) } };
  }
}
