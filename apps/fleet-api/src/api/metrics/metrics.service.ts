import { Injectable } from '@nestjs/common';
import type { Access, AlertType } from '@gpu-observatory/domain-types';
import { rangeOf, type ScopeFilter } from '../access/access-scope.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import { countParameters } from '../alerts/counts/stored-counts.ts';
import { type AlertSelection, selectionParameters } from '../alerts/filters/alert-selection.ts';
import { ANY_VALUES } from '../alerts/value-fields.ts';
import {
  ALL_DATA,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
} from '../data-version/data-version.ts';
import { sumByName } from '../merge-by-key.ts';
import type { TimeWindow } from '../query-parameters/requested-window.ts';
import { METRICS } from './metrics.statements.ts';

/** Number of a day in the window, from 0. */
type DayNumber = number;
/** Numbers of entities of a kind with an edge before the window, and with an edge on each of `days`. A day may occur twice. */
export type EntityRow = [kind: number, edge: number, before: number, days: DayNumber[], n: number[]];
/** Number of GPUs that went missing in a day or hour, and the sum of the times from its start until then, in ms. */
export type MissingRow = [grain: number, bucketMs: number, n: number, offsetMs: number];

/** The inputs of the metrics of a customer, from one snapshot. */
interface MetricsRow {
  /** The sums of days as text, which `daySumsOf` parses. */
  days: string | null;
  entities: EntityRow[];
  missing: MissingRow[];
  types: (readonly [type: AlertType, n: number])[];
  /** Times at which the GPUs in crash chains become healthy again, in ms since the epoch; null if only a report makes them healthy. */
  crash_chains: (number | null)[];
  data_version: DataVersionRow | null;
}

/** The inputs of the metrics. Of the alert types, it has the most frequent ones, at most three. */
export interface MetricRows extends Pick<MetricsRow, 'entities' | 'missing' | 'types'> {
  days: MetricsRow['days'][];
  /** Number of GPUs in a crash chain. */
  crashChains: number;
  data: DataVersion;
}

/** Reads the inputs of the metrics. It reads rollups only, so that the cost depends on the number of days, not of samples or GPUs. */
@Injectable()
export class MetricsService {
  constructor(private readonly tenants: TenantDatabase) {}

  async read(access: Access, filter: ScopeFilter, window: TimeWindow): Promise<MetricRows> {
    const selection: AlertSelection = {
      scope: filter,
      window: { ...window, hasFrom: true, hasTo: true },
      values: ANY_VALUES,
      texts: null,
    };
    const rows = await this.tenants.query<MetricsRow>(
      access,
      (scope) =>
        METRICS[rangeOf(scope)].with({
          ...countParameters(selection, scope, { groupedBy: ['type'] }),
          ...selectionParameters(selection),
        }),
      { filter },
    );
    return mergeRows(rows);
  }
}

const MOST_FREQUENT_TYPES = 3;

/** Merges the rows of customers. There are no rows when the caller's access is empty. */
function mergeRows(parts: readonly MetricsRow[]): MetricRows {
  const data = dataVersionOf(parts, ALL_DATA);
  const asOfMs = data.asOfMs ?? 0;
  const isInChain = (healthyAtMs: number | null) => healthyAtMs === null || healthyAtMs > asOfMs;
  return {
    days: parts.map(({ days }) => days),
    entities: parts.flatMap(({ entities }) => entities),
    missing: parts.flatMap(({ missing }) => missing),
    types: sumByName(parts.flatMap(({ types }) => types)).slice(0, MOST_FREQUENT_TYPES),
    crashChains: parts.flatMap((part) => part.crash_chains).filter(isInChain).length,
    data,
  };
}
