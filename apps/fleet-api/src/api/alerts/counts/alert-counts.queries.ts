import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import { ANY_RANK, ANY_TYPE } from '../../../model/alerts/alert-count-scope.ts';
import { rangeOf } from '../../access/access-scope.ts';
import { TenantDatabase } from '../../access/tenant-database.ts';
import {
  ALERT_DATA,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
} from '../../data-version/data-version.ts';
import { type AlertSelection, readOptions, selectionParameters } from '../filters/alert-selection.ts';
import { mergeByKey } from '../../merge-by-key.ts';
import { TextSearch } from '../text/text-search.ts';
import { ANY_VALUES } from '../value-fields.ts';
import { type CountKind, COUNTS, countsWithTextFilters, EARLIEST } from './alert-counts.statements.ts';
import type { BucketUnit } from './count-spans.ts';
import { type CountedGroups, countParameters } from './stored-counts.ts';

/**
 * Number of alerts of a severity, state and type. Severity and state are ranks; null stands for any value. A count may be negative: it
 * corrects another count that includes alerts outside the window.
 */
export interface AlertCount {
  severity: number | null;
  state: number | null;
  type: string | null;
  count: number;
}

/** Number of alerts of a severity in a bucket. */
export interface BucketCount {
  /** Start of the bucket, in ms since the epoch. */
  bucketMs: number;
  /** Rank of the severity. */
  severity: number;
  count: number;
}

interface CountsWithVersion<Count> {
  counts: Count[];
  data: DataVersion;
}

/** The rows of each kind of counts. */
interface CountRows {
  summary: [severity: number, state: number, type: string, count: number];
  trend: [bucketMs: number, severity: number, count: number];
}

@Injectable()
export class AlertCountsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /**
   * Counts by severity, state and type, ignoring the filters on these three. Without such filters, each alert may be counted twice: by
   * type (with null for severity and state), and by severity and state (with null for type). Counts with equal values add up.
   */
  async summary(access: Access, selection: AlertSelection): Promise<CountsWithVersion<AlertCount>> {
    const hasNoValueFilters = Object.values(selection.values).every((values) => values === null);
    const { counts, data } = await this.read(
      'summary',
      access,
      { ...selection, values: ANY_VALUES },
      { groupedBy: ['severity', 'state', 'type'], mayCountTypesSeparately: hasNoValueFilters },
    );
    return { counts: counts.map(toAlertCount), data };
  }

  /** Counts the selected alerts by bucket, then severity. */
  async trend(
    access: Access,
    selection: AlertSelection,
    unit: BucketUnit,
  ): Promise<CountsWithVersion<BucketCount>> {
    const { counts, data } = await this.read('trend', access, selection, { groupedBy: ['severity'], unit });
    const buckets = counts.map(([bucketMs, severity, count]) => ({ bucketMs, severity, count }));
    // The statement already groups and sorts the counts of a customer.
    return { counts: data.seqs.length > 1 ? mergeBuckets(buckets) : buckets, data };
  }

  /** Returns the counts of all customers, one after the other. */
  private async read<Kind extends CountKind>(
    kind: Kind,
    access: Access,
    selection: AlertSelection,
    groups: CountedGroups,
  ): Promise<CountsWithVersion<CountRows[Kind]>> {
    const rows = await this.tenants.read(access, readOptions(selection), async (customers) => {
      const search = await TextSearch.plan(customers, selection, { rows: Infinity });
      const reads = customers.map(({ scope, query }) => {
        const statement =
          search === null
            ? COUNTS[kind][rangeOf(scope)]
            : countsWithTextFilters(kind, search.alertsIn(scope));
        return query<{ rows: CountRows[Kind][]; data_version: DataVersionRow | null }>(
          statement.with({
            ...countParameters(selection, scope, groups),
            ...selectionParameters(selection),
            ...(groups.unit === undefined ? {} : { unit: `1 ${groups.unit}` }),
          }),
        );
      });
      return (await Promise.all(reads)).flat();
    });
    return { counts: rows.flatMap((row) => row.rows), data: dataVersionOf(rows, ALERT_DATA) };
  }

  /** Returns the creation time of the first alert in scope, ignoring filters; null without alerts. */
  async earliestMs(access: Access, { scope: filter }: AlertSelection): Promise<number | null> {
    const rows = await this.tenants.query<{ earliest: Date | null }>(
      access,
      (scope) => EARLIEST[rangeOf(scope)].with({}),
      { filter },
    );
    const times = rows.flatMap(({ earliest }) => earliest?.getTime() ?? []);
    return times.length === 0 ? null : Math.min(...times);
  }
}

function toAlertCount([severity, state, type, count]: CountRows['summary']): AlertCount {
  return {
    severity: severity === ANY_RANK ? null : severity,
    state: state === ANY_RANK ? null : state,
    type: type === ANY_TYPE ? null : type,
    count,
  };
}

/** Adds up the counts of several customers, sorted by bucket and severity. */
function mergeBuckets(counts: readonly BucketCount[]): BucketCount[] {
  const keyOf = ({ bucketMs, severity }: BucketCount) => `${bucketMs} ${severity}`;
  const sums = mergeByKey(counts, keyOf, (a, b) => ({ ...a, count: a.count + b.count }));
  return sums.sort((a, b) => a.bucketMs - b.bucketMs || a.severity - b.severity);
}
