import { Injectable } from '@nestjs/common';
import { type Access, formatTimestamp } from '@gpu-observatory/domain-types';
import { HALF_HOUR_MS } from '../../model/gpu-days/format.ts';
import { usageParameters } from '../../model/gpu-days/usage.sql.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import { dataVersionOf, TELEMETRY_DATA } from '../data-version/data-version.ts';
import { CoalescedDataVersions } from '../data-version/coalesced-data-versions.ts';
import type { ConditionalResponse } from '../http-cache/conditional-response.ts';
import { DEFAULT_PAGE_SIZE } from '../query-parameters/parameters.ts';
import { parseScopeFilter } from '../query-parameters/scope-filter.ts';
import {
  DEFAULT_USAGE_GROUPING,
  DEFAULT_USAGE_SORT,
  type FleetUsageQuery,
  type UsageGrouping,
} from './fleet-usage.dto.ts';
import type { FleetUsageModel, UsageGroupModel } from './fleet-usage.models.ts';
import { FLEET_USAGE } from './fleet-usage.statements.ts';
import { mergedUsage, roundedUsage, type UsageGroup, type UsageRow } from './usage-groups.ts';
import { startOfHalfHour, usageWindow } from './usage-window.ts';

/** Adds up the usage of GPUs. See docs/fleet-api.md#fleet-usage. */
@Injectable()
export class FleetUsageService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly versions: CoalescedDataVersions,
  ) {}

  /**
   * Returns the usage in a window. The window is part of the entity tag: without `to`, it moves with the clock.
   *
   * @throws {DomainError} `invalid_query`
   */
  usage(access: Access, query: FleetUsageQuery): ConditionalResponse {
    const filter = parseScopeFilter(query);
    const nowMs = Date.now();
    const window = usageWindow(query, nowMs);
    const { group_by: groupBy = DEFAULT_USAGE_GROUPING, sort = DEFAULT_USAGE_SORT } = query;
    const nextHalfHourMs = startOfHalfHour(nowMs) + HALF_HOUR_MS;
    const size = Number(query.page_size ?? DEFAULT_PAGE_SIZE);
    const parameters = {
      ...usageParameters(window),
      from: new Date(window.fromMs),
      to: new Date(window.toMs),
      groupBy,
      sort,
      // Groups of several customers with the same model are added up, so all of them are read; a fleet has few models.
      limit: groupBy === 'model' ? null : size,
    };
    return {
      readValidators: async () => ({
        data: await this.versions.readForCaller(access, TELEMETRY_DATA, filter),
        variant: window,
      }),
      compute: async () => {
        // Adding up the days of 10,000 GPUs takes seconds.
        const options = { filter, isSlow: true };
        const rows = await this.tenants.query<UsageRow>(access, () => FLEET_USAGE.with(parameters), options);
        const { groups, total, groupCount } = mergedUsage(rows, groupBy, sort);
        const body: FleetUsageModel = {
          from: formatTimestamp(parameters.from),
          to: formatTimestamp(parameters.to),
          groups: groups.slice(0, size).map((group) => toGroupModel(group, groupBy)),
          total: roundedUsage(total),
          group_count: groupCount,
        };
        return { data: dataVersionOf(rows, TELEMETRY_DATA), variant: window, untilMs: nextHalfHourMs, body };
      },
    };
  }
}

function toGroupModel({ customer_id, key, ...usage }: UsageGroup, groupBy: UsageGrouping): UsageGroupModel {
  const keys = {
    workspace: () => ({ customer_id, workspace_id: Number(key) }),
    model: () => ({ model: key }),
    host: () => ({ customer_id, hostname: key }),
  };
  return { ...keys[groupBy](), ...roundedUsage(usage) };
}
