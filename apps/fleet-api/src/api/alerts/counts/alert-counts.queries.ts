import { Injectable } from '@nestjs/common';
import type { Access } from '@gpu-observatory/domain-types';
import type { AccessScope } from '../../access/access-scope.ts';
import { addedByKey } from '../../access/added-by-key.ts';
import { TenantDatabase } from '../../access/tenant-database.ts';
import { rangeOf, type TenantStatement } from '../../access/tenant-statement.ts';
import {
  ALERT_DATA,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
} from '../../data-version/data-version.ts';
import { type AlertSelection, readOptions } from '../filters/alert-selection.ts';
import { TextSearch } from '../text/text-search.ts';
import { ANY_VALUES } from '../value-fields.ts';
import {
  countsOfTexts,
  type CountStatementParameters,
  EARLIEST,
  SUMMARY,
  TREND,
} from './alert-counts.statements.ts';
import type { BucketUnit } from './bucket-unit.ts';
import { countParameters, type Grouping } from './stored-counts.ts';

/** The number of alerts of a severity, a state (both as ranks) and a type. A negative one corrects counts that are stored by type alone. */
export type CountRow = [severity: number, state: number, type: string, count: number];
/** The number of alerts of a severity (as a rank) in a bucket, which starts at `bucketMs` since the epoch. */
export type BucketRow = [bucketMs: number, severity: number, count: number];

export interface Counted<Row> {
  rows: Row[];
  data: DataVersion;
}

interface CountedRow<Row> {
  rows: Row[];
  data_version: DataVersionRow | null;
}

@Injectable()
export class AlertCountsQueries {
  constructor(private readonly tenants: TenantDatabase) {}

  /**
   * Counts by severity, state and type, ignoring the filters on these three. Without such filters, counts by type can be rows of
   * their own, without severity and state.
   */
  summary(access: Access, selection: AlertSelection): Promise<Counted<CountRow>> {
    const typesApart = Object.values(selection.values).every((values) => values === null);
    return this.counted(
      access,
      { ...selection, values: ANY_VALUES },
      { by: ['severity', 'state', 'type'], typesApart },
      'summary',
    );
  }

  /** Counts the selected alerts by bucket, then severity. */
  trend(access: Access, selection: AlertSelection, unit: BucketUnit): Promise<Counted<BucketRow>> {
    return this.counted(access, selection, { by: ['severity'], unit }, 'trend');
  }

  /** Adds up the counts of all customers. */
  private async counted<Row extends CountRow | BucketRow>(
    access: Access,
    selection: AlertSelection,
    grouping: Grouping,
    of: 'summary' | 'trend',
  ): Promise<Counted<Row>> {
    const counts = await this.tenants.read(access, readOptions(selection), async (customers) => {
      const search = await TextSearch.plan(customers, selection, { rows: Infinity });
      const ofCustomers = customers.map(({ scope, query }) =>
        query<CountedRow<Row>>(
          statementOf(of, scope, search).with({
            ...countParameters(selection, scope, grouping),
            ...selection.values,
            ...search.parameters,
            ...(grouping.unit === undefined ? {} : { unit: `1 ${grouping.unit}` }),
          }),
        ),
      );
      return (await Promise.all(ofCustomers)).flat();
    });
    const rows = counts.flatMap((ofCustomer) => ofCustomer.rows);
    return { rows: counts.length > 1 ? added(rows) : rows, data: dataVersionOf(counts, ALERT_DATA) };
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

function statementOf(
  of: 'summary' | 'trend',
  scope: AccessScope,
  search: TextSearch,
): TenantStatement<CountStatementParameters> {
  const range = rangeOf(scope);
  if (!search.hasTexts) return (of === 'summary' ? SUMMARY : TREND)[range];
  return countsOfTexts(of, range, search.alertsIn(scope));
}

/** Adds up rows that are equal except for their count, in the order of their keys. */
function added<Row extends CountRow | BucketRow>(rows: readonly Row[]): Row[] {
  const keyOf = (row: Row) => JSON.stringify(row.slice(0, -1));
  const add = (a: Row, b: Row) => [...a.slice(0, -1), Number(a.at(-1)) + Number(b.at(-1))] as Row;
  return addedByKey(rows, keyOf, add).sort(([a0, a1], [b0, b1]) => a0 - b0 || a1 - b1);
}
