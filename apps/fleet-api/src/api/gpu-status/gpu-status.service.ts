import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { customerIdsOf } from '../access/access-scope.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import {
  type DataVersion,
  dataVersionOf,
  type FoundRow,
  foundRows,
  TELEMETRY_DATA,
} from '../data-version/data-version.ts';
import type { ListOptions } from '../exports/exported-list.ts';
import { type PageQuery, requestedPage } from '../paging/list-page.ts';
import { isLongWindow } from '../query-parameters/requested-window.ts';
import type { GpuStatusListModel } from './gpu-status.models.ts';
import { GPU_STATUS } from './gpu-status.statements.ts';
import { type GpuStatusRow, toGpuStatus } from './gpu-status.ts';
import type { StatusFilter } from './status-filter.ts';
import { statusKey, statusPage, statusParameters } from './status-pages.ts';

interface ListedGpu extends GpuStatusRow {
  customer_id: number;
  sort_key: number;
}

/** Lists GPUs by their state. */
@Injectable()
export class GpuStatusService {
  constructor(private readonly tenants: TenantDatabase) {}

  /** @throws {DomainError} `invalid_cursor` */
  async list(
    access: Access,
    filter: StatusFilter,
    query: PageQuery,
    { isExport }: ListOptions,
  ): Promise<{ body: GpuStatusListModel; data: DataVersion }> {
    const { scope, window } = filter;
    const customerIds = customerIdsOf(access, scope);
    const page = requestedPage(query, { list: 'gpu-status', sortKey: statusKey, customerIds });
    const found = await this.tenants.query<FoundRow<ListedGpu>>(
      access,
      () => GPU_STATUS.with(statusParameters(filter, page)),
      { filter: scope, isSlow: isLongWindow(window), isExport },
    );
    const data = dataVersionOf(found, TELEMETRY_DATA);
    const { rows, ...next } = statusPage(foundRows(found), page, data);
    return { data, body: { gpus: rows.map(toGpuStatus), ...next } };
  }
}
