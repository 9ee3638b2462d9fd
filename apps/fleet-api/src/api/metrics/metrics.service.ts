import { Injectable } from '@nestjs/common';
import { type Access, HOUR_MS } from '@gpu-observatory/domain-types';
import type { TimeWindow } from '../../model/time-window.ts';
import { rangeOf, type ScopeFilter } from '../access/access-scope.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import { countParameters } from '../alerts/counts/stored-counts.ts';
import { type AlertSelection, selectionParameters } from '../alerts/filters/alert-selection.ts';
import { ANY_VALUES } from '../alerts/value-fields.ts';
import { CoalescedDataVersions } from '../data-version/coalesced-data-versions.ts';
import { ALL_DATA, dataVersionOf } from '../data-version/data-version.ts';
import type { ConditionalResponse } from '../http-cache/conditional-response.ts';
import { startOfHour } from '../paging/page-token.ts';
import { parseScopeFilter } from '../query-parameters/scope-filter.ts';
import { fleetMetrics } from './fleet-metrics.ts';
import type { MetricsQuery } from './metrics.dto.ts';
import { METRICS, type MetricsRow } from './metrics.statements.ts';
import { metricsWindow } from './metrics-window.ts';

/** Reads rollups only, so that the cost depends on the number of days, not of samples or GPUs. */
@Injectable()
export class MetricsService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly versions: CoalescedDataVersions,
  ) {}

  /**
   * Returns the metrics of a window. The window is part of the entity tag: without `from` or `to`, it moves with the clock.
   *
   * @throws {DomainError} `invalid_query`
   */
  metrics(access: Access, query: MetricsQuery): ConditionalResponse {
    const filter = parseScopeFilter(query);
    const nowMs = Date.now();
    const window = metricsWindow(query, nowMs);
    return {
      readValidators: async () => ({
        data: await this.versions.readForCaller(access, ALL_DATA, filter),
        variant: window,
      }),
      compute: async () => {
        const rows = await this.read(access, filter, window);
        const data = dataVersionOf(rows, ALL_DATA);
        return {
          data,
          variant: window,
          // `metricsWindow` cuts the window to whole days and to one hour in the future, so it changes only at a full hour.
          untilMs: startOfHour(nowMs) + HOUR_MS,
          body: { metrics: fleetMetrics(rows, window, data.asOfMs, filter.apiKeyId !== undefined) },
        };
      },
    };
  }

  private read(access: Access, filter: ScopeFilter, window: TimeWindow): Promise<MetricsRow[]> {
    const selection: AlertSelection = {
      scope: filter,
      window: { ...window, hasFrom: true, hasTo: true },
      values: ANY_VALUES,
      texts: null,
    };
    return this.tenants.query<MetricsRow>(
      access,
      (scope) =>
        METRICS[rangeOf(scope)].with({
          ...countParameters(selection, scope, { groupedBy: ['type'] }),
          ...selectionParameters(selection),
        }),
      { filter },
    );
  }
}
