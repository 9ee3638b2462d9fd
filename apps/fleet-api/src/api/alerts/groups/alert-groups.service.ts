import { Injectable } from '@nestjs/common';
import { type Access, ALERT_STATES, SEVERITIES } from '@gpu-observatory/domain-types';
import { type AccessScope, rangeOf } from '../../access/access-scope.ts';
import { queryEach, TenantDatabase } from '../../access/tenant-database.ts';
import type { BoundStatement } from '../../access/tenant-statement.ts';
import { ALERT_DATA, dataVersionOf } from '../../data-version/data-version.ts';
import { CoalescedDataVersions } from '../../data-version/coalesced-data-versions.ts';
import type { ConditionalResponse } from '../../http-cache/conditional-response.ts';
import { countParameters } from '../counts/stored-counts.ts';
import {
  type AlertSelection,
  parseSelection,
  readOptions,
  selectionParameters,
} from '../filters/alert-selection.ts';
import { TextSearch } from '../text/text-search.ts';
import { VALUE_FIELD_NAMES } from '../value-fields.ts';
import { DEFAULT_PAGE_SIZE } from '../../query-parameters/parameters.ts';
import { isLongWindow } from '../../query-parameters/requested-window.ts';
import { type AlertGrouping, type AlertGroupsQuery, DEFAULT_ALERT_GROUPING } from './alert-groups.dto.ts';
import type { AlertGroupModel } from './alert-groups.models.ts';
import { isStored, ROW_GROUPS, rowGroupsStatement, STORED_GROUPS } from './alert-groups.statements.ts';
import { type AlertGroup, type GroupsRow, mergeGroups } from './merged-groups.ts';

/** Groupings whose groups belong to one customer, so they are not merged. */
const GROUPINGS_WITHIN_CUSTOMER: readonly AlertGrouping[] = ['host', 'workspace', 'gpu'];

/** Counts alerts by group. See docs/fleet-api.md#alert-groups. */
@Injectable()
export class AlertGroupsService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly versions: CoalescedDataVersions,
  ) {}

  /** @throws {DomainError} `invalid_query` */
  groups(access: Access, query: AlertGroupsQuery): ConditionalResponse {
    const selection = parseSelection(query);
    const { group_by: groupBy = DEFAULT_ALERT_GROUPING } = query;
    const size = Number(query.page_size ?? DEFAULT_PAGE_SIZE);
    return {
      readValidators: async () => ({
        data: await this.versions.readForCaller(access, ALERT_DATA, selection.scope),
      }),
      compute: async () => {
        const rows = await this.readGroups(access, selection, groupBy, size);
        const { groups, total, groupCount } = mergeGroups(rows, {
          mergesCustomers: !GROUPINGS_WITHIN_CUSTOMER.includes(groupBy),
          isByTime: groupBy === 'day' || groupBy === 'hour',
        });
        const models = groups.slice(0, size).map((group) => toGroupModel(group, groupBy));
        return {
          data: dataVersionOf(rows, ALERT_DATA),
          body: { groups: models, total, group_count: groupCount },
        };
      },
    };
  }

  private readGroups(
    access: Access,
    selection: AlertSelection,
    groupBy: AlertGrouping,
    size: number,
  ): Promise<GroupsRow[]> {
    const options = { ...readOptions(selection), isSlow: isSlowRead(selection, groupBy) };
    return this.tenants.read(access, options, async (customers) => {
      const search = await TextSearch.plan(customers, selection, { rows: Infinity });
      // Groups of several customers with the same key are added up, so all of them are read; there are few.
      const limit = GROUPINGS_WITHIN_CUSTOMER.includes(groupBy) ? size : null;
      return queryEach<GroupsRow>(customers, (scope) =>
        groupsStatement(scope, selection, { groupBy, limit, search }),
      );
    });
  }
}

/** Returns whether the read counts as slow, because it may read all alerts in a long window. */
function isSlowRead(selection: AlertSelection, groupBy: AlertGrouping): boolean {
  const { texts, window, values } = selection;
  if (texts !== null) return true;
  if (!isStored(groupBy)) return isLongWindow(window);
  // An index on the field of the group finds its first and last alert, unless other filters skip rows.
  return VALUE_FIELD_NAMES.some((field) => field !== groupBy && values[field] !== null);
}

/** @param limit maximum number of groups; null for all */
function groupsStatement(
  scope: AccessScope,
  selection: AlertSelection,
  { groupBy, limit, search }: { groupBy: AlertGrouping; limit: number | null; search: TextSearch | null },
): BoundStatement {
  const range = rangeOf(scope);
  const parameters = { ...selectionParameters(selection), groupBy, limit };
  if (search !== null) return rowGroupsStatement(search.alertsIn(scope)).with(parameters);
  if (!isStored(groupBy)) return ROW_GROUPS[range].with(parameters);
  const groupedBy = groupBy === 'type' ? (['severity', 'type'] as const) : (['severity'] as const);
  // Groups of days need counts by day or hour; others also use those by month.
  const unit = groupBy === 'day' ? 'day' : undefined;
  return STORED_GROUPS[range].with({
    ...countParameters(selection, scope, { groupedBy, unit }),
    ...parameters,
    // The statement counts in buckets of a day, which are the keys of groups by day.
    unit: '1 day',
  });
}

function toGroupModel({ customer_id, key, ...counts }: AlertGroup, groupBy: AlertGrouping): AlertGroupModel {
  const keys = {
    host: () => ({ customer_id, hostname: key }),
    workspace: () => ({ customer_id, workspace_id: key === null ? null : Number(key) }),
    gpu: () => ({ customer_id, gpu_id: key }),
    day: () => ({ day: key as string }),
    hour: () => ({ hour: key as string }),
    type: () => ({ type: key as string }),
    severity: () => ({ severity: SEVERITIES[Number(key)] as string }),
    state: () => ({ state: ALERT_STATES[Number(key)] as string }),
  };
  return { ...keys[groupBy](), ...counts };
}
