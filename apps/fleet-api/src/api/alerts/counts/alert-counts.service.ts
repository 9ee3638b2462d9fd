import { Injectable } from '@nestjs/common';
import { type Access, formatTimestamp, HOUR_MS, SEVERITIES } from '@gpu-observatory/domain-types';
import { rangeOf } from '../../access/access-scope.ts';
import { queryEach, TenantDatabase } from '../../access/tenant-database.ts';
import { CoalescedDataVersions } from '../../data-version/coalesced-data-versions.ts';
import {
  ALERT_DATA,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
} from '../../data-version/data-version.ts';
import type { ConditionalResponse } from '../../http-cache/conditional-response.ts';
import { mergeByKey } from '../../merge-by-key.ts';
import type { AlertSelectionQuery } from '../filters/alert-selection.dto.ts';
import {
  type AlertSelection,
  parseSelection,
  readOptions,
  selectionParameters,
} from '../filters/alert-selection.ts';
import { TextSearch } from '../text/text-search.ts';
import { ANY_VALUES } from '../value-fields.ts';
import type { SeverityTrendPoint } from './alert-counts.models.ts';
import {
  type CountKind,
  type CountRows,
  COUNTS,
  countsWithTextFilters,
  EARLIEST,
} from './alert-counts.statements.ts';
import { alertSummary } from './alert-summary.ts';
import type { BucketUnit } from './count-spans.ts';
import { type CountedGroups, countParameters } from './stored-counts.ts';

const MAX_HOURLY_WINDOW_MS = 72 * HOUR_MS;

/** The buckets of a trend. */
interface Buckets {
  unit: BucketUnit;
  /**
   * Time until which the unit stays the same, in ms since the epoch; Infinity when it never changes. A window without `to` grows until
   * its buckets are days. For a window without `from`, `nowMs`: an earlier alert may be imported at any time.
   */
  untilMs: number;
}

@Injectable()
export class AlertCountsService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly versions: CoalescedDataVersions,
  ) {}

  /** @throws {DomainError} `invalid_query` */
  summary(access: Access, query: AlertSelectionQuery): ConditionalResponse {
    const selection = parseSelection(query);
    return {
      readValidators: async () => ({ data: await this.dataVersion(access, selection) }),
      compute: async () => {
        // `alertSummary` applies the filters on the counted columns.
        const counted = { ...selection, values: ANY_VALUES };
        const { rows, data } = await this.read('summary', access, counted, {
          groupedBy: ['severity', 'state', 'type'],
          mayCountTypesSeparately: Object.values(selection.values).every((values) => values === null),
        });
        return { data, body: { summary: alertSummary(rows, selection) } };
      },
    };
  }

  /**
   * Returns the counts by severity per hour or day. The unit is part of the entity tag, because an open window grows with the clock.
   *
   * @throws {DomainError} `invalid_query`
   */
  trend(access: Access, query: AlertSelectionQuery): ConditionalResponse {
    const selection = parseSelection(query);
    return {
      readValidators: async () => ({
        data: await this.dataVersion(access, selection),
        variant: (await this.buckets(access, selection)).unit,
      }),
      compute: async () => {
        const { unit, untilMs } = await this.buckets(access, selection);
        const groups: CountedGroups = { groupedBy: ['severity'], unit };
        const { rows, data } = await this.read('trend', access, selection, groups);
        // The statement already groups and sorts the counts of a customer.
        const counts = data.seqs.length > 1 ? mergeBuckets(rows) : rows;
        return { data, variant: unit, untilMs, body: { points: counts.map(toPoint) } };
      },
    };
  }

  private dataVersion(access: Access, { scope }: AlertSelection): Promise<DataVersion> {
    return this.versions.readForCaller(access, ALERT_DATA, scope);
  }

  private async buckets(access: Access, selection: AlertSelection): Promise<Buckets> {
    const { hasFrom, hasTo, ...window } = selection.window;
    const nowMs = Date.now();
    const fromMs = hasFrom ? window.fromMs : ((await this.earliestMs(access, selection)) ?? nowMs);
    const toMs = hasTo ? window.toMs : nowMs;
    const lastHourlyMs = fromMs + MAX_HOURLY_WINDOW_MS;
    if (toMs > lastHourlyMs) return { unit: 'day', untilMs: Infinity };
    if (!hasFrom) return { unit: 'hour', untilMs: nowMs };
    return { unit: 'hour', untilMs: hasTo ? Infinity : lastHourlyMs };
  }

  /** Returns the creation time of the first alert in scope, ignoring filters; null without alerts. */
  private async earliestMs(access: Access, { scope: filter }: AlertSelection): Promise<number | null> {
    const rows = await this.tenants.query<{ earliest: Date | null }>(
      access,
      (scope) => EARLIEST[rangeOf(scope)].with({}),
      { filter },
    );
    const times = rows.flatMap(({ earliest }) => earliest?.getTime() ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Returns the counts of all customers, one after the other. */
  private async read<Kind extends CountKind>(
    kind: Kind,
    access: Access,
    selection: AlertSelection,
    groups: CountedGroups,
  ): Promise<{ rows: CountRows[Kind][]; data: DataVersion }> {
    type FoundCounts = { rows: CountRows[Kind][]; data_version: DataVersionRow | null };
    const found = await this.tenants.read(access, readOptions(selection), async (customers) => {
      const search = await TextSearch.plan(customers, selection, { rows: Infinity });
      return queryEach<FoundCounts>(customers, (scope) => {
        const statement =
          search === null
            ? COUNTS[kind][rangeOf(scope)]
            : countsWithTextFilters(kind, search.alertsIn(scope));
        return statement.with({
          ...countParameters(selection, scope, groups),
          ...selectionParameters(selection),
          ...(groups.unit === undefined ? {} : { unit: `1 ${groups.unit}` }),
        });
      });
    });
    return { rows: found.flatMap(({ rows }) => rows), data: dataVersionOf(found, ALERT_DATA) };
  }
}

/** Adds up the counts of several customers, sorted by bucket and severity. */
function mergeBuckets(rows: readonly CountRows['trend'][]): CountRows['trend'][] {
  type Row = CountRows['trend'];
  const add = ([bucketMs, severity, a]: Row, [, , b]: Row): Row => [bucketMs, severity, a + b];
  const sums = mergeByKey(rows, ([bucketMs, severity]) => `${bucketMs} ${severity}`, add);
  return sums.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

function toPoint([bucketMs, severity, count]: CountRows['trend']): SeverityTrendPoint {
  return {
    bucket: formatTimestamp(new Date(bucketMs)),
    severity: SEVERITIES[severity] as string,
    count,
  };
}
