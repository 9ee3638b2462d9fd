import { Injectable } from '@nestjs/common';
import { type Access, HOUR_MS } from '@gpu-observatory/domain-types';
import { StatementTimeout } from '@gpu-observatory/service-runtime/process';
import { accessScopes, customerIdsOf } from '../access/access-scope.ts';
import { TenantDatabase } from '../access/tenant-database.ts';
import { ALERT_DATA } from '../data-version/data-version.ts';
import { CoalescedDataVersions } from '../data-version/coalesced-data-versions.ts';
import type { ListOptions } from '../exports/exported-list.ts';
import type { ComputedResponse, ConditionalResponse } from '../http-cache/conditional-response.ts';
import { encodePageToken, type PageToken, startOfHour } from '../paging/page-token.ts';
import { listBody, type RequestedPage, requestedPage } from '../paging/list-page.ts';
import { type AlertSearchQuery, DEFAULT_ALERT_PAGE_SIZE } from './alerts.dto.ts';
import { type AlertSelection, parseSelection, readOptions } from './filters/alert-selection.ts';
import { DEFAULT_SORT, parseSort, SORT_KEYS, type SortKey } from './order/alert-sorts.ts';
import type { AlertListing } from './order/page-order.ts';
import { isCostBySize } from './order/page-orders.ts';
import { type AlertPage, type PagePosition, SMALL_PAGE_ROWS } from './pages/alert-page.ts';
import { CustomerAlerts } from './pages/customer-alerts.ts';
import { readPageInBatches } from './pages/page-in-batches.ts';
import { mergePage } from './pages/merged-page.ts';
import { TextSearch } from './text/text-search.ts';

/** Maximum number of rows that a quick read reads. */
const MAX_QUICK_ROWS = 200;

/** The page that a request asks for. */
interface PageRequest extends AlertListing, Pick<RequestedPage<SortKey>, 'size' | 'boundQuery'> {
  /** Whether the page is part of an export, which has no total. */
  isExport: boolean;
}

/**
 * Lists alerts. Pages are snapshots of the data version of the first page (docs/decisions/snapshot-pagination.md).
 * `CustomerAlerts` reads the alerts of one customer, and `mergePage` merges those of several. `TextSearch` decides how text filters
 * are evaluated.
 */
@Injectable()
export class AlertsService {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly versions: CoalescedDataVersions,
  ) {}

  /** @throws {DomainError} `invalid_query` or `invalid_cursor` */
  list(access: Access, query: AlertSearchQuery, { isExport }: ListOptions): ConditionalResponse {
    const selection = parseSelection(query);
    const { sort: sortBy = DEFAULT_SORT } = query;
    const sortedQuery = { ...query, sort: sortBy };
    const sort = parseSort(sortBy);
    const sortKey = SORT_KEYS[sort.field];
    const customerIds = customerIdsOf(access, selection.scope);
    const options = { sortKey, customerIds, defaultSize: DEFAULT_ALERT_PAGE_SIZE };
    const { size, boundQuery, token } = requestedPage(sortedQuery, options);
    const page = { selection, sort, size, boundQuery, isExport };
    return token === null ? this.firstPage(access, page) : this.laterPage(access, page, token);
  }

  private firstPage(access: Access, page: PageRequest): ConditionalResponse {
    // Part of the entity tag: a response that a client revalidates for a day must not keep an expired page token.
    const hour = startOfHour(Date.now());
    return {
      readValidators: async () => ({
        data: await this.versions.readForCaller(access, ALERT_DATA, page.selection.scope),
        variant: hour,
      }),
      compute: async () => ({
        ...(await this.readPage(access, page, null, hour)),
        variant: hour,
        untilMs: hour + HOUR_MS,
      }),
    };
  }

  /** Returns a response that never changes, because the token fixes the data. Clients rarely request it twice, so it is not cached. */
  private laterPage(
    access: Access,
    page: PageRequest,
    { startedHourMs, after, data: { seqs, changedAtMs } }: PageToken<SortKey>,
  ): ConditionalResponse {
    const data = { kinds: ALERT_DATA, seqs, changedAtMs, asOfMs: changedAtMs };
    return {
      isCached: false,
      readValidators: () => Promise.resolve({ data }),
      compute: () => this.readPage(access, page, { data, after }, startedHourMs),
    };
  }

  /**
   * Reads a page. The response is incomplete if the time limit ended the count. The body is concatenated within the read, so that it
   * is complete before the next large page starts.
   *
   * @param position null for the first page
   * @param startedHourMs start of the hour in which the first page was read
   */
  private readPage(
    access: Access,
    { selection, sort, boundQuery, size, isExport }: PageRequest,
    position: PagePosition | null,
    startedHourMs: number,
  ): Promise<ComputedResponse> {
    // Each workspace is scanned for a whole page.
    const rows = size * maxWorkspaces(access, selection);
    const options = {
      ...readOptions(selection),
      isLarge: size > SMALL_PAGE_ROWS,
      isExport,
      isQuick: rows <= MAX_QUICK_ROWS && isCostBySize({ selection, sort }),
    };
    const maxBytes = this.tenants.pageBytes;
    return this.tenants.read(access, options, async (customers) => {
      const hasTotal = position === null && !isExport;
      const search = await TextSearch.plan(customers, selection, { rows: size, hasTotal });
      const sources = customers.map((customer) => new CustomerAlerts(customer, { selection, sort }, search));
      const [source] = sources;
      const page =
        source !== undefined && sources.length === 1
          ? await readPageInBatches(source, { size, maxBytes }, position)
          : await mergePage(sources, { sort, size, maxBytes }, position);
      const total = hasTotal ? await totalOf(page, sources, search) : null;
      return {
        data: page.data,
        isIncomplete: hasTotal && total === null,
        body: pageBody({ ...page, total }, boundQuery, startedHourMs),
      };
    });
  }
}

/** Returns the largest number of workspaces that the caller lists for a customer; at least 1. */
function maxWorkspaces(access: Access, { scope }: AlertSelection): number {
  const numbers = accessScopes(access, scope).map(({ workspaceIds }) =>
    workspaceIds === 'all' ? 1 : workspaceIds.length,
  );
  return Math.max(1, ...numbers);
}

/**
 * Returns the number of alerts on all pages; null when the time limit ended the count. Where the statement of the page does not
 * count, a separate one does, so that the time limit can end the count and not the page.
 */
async function totalOf(
  { data, rows, after, total }: AlertPage,
  sources: readonly CustomerAlerts[],
  search: TextSearch | null,
): Promise<number | null> {
  if (total !== null || search === null) return total;
  // The first page is the only one.
  if (after === null) return rows;
  try {
    const totals = await Promise.all(sources.map((source) => source.countMatchesAsOf(search, data)));
    return totals.reduce((sum, n) => sum + n, 0);
  } catch (error) {
    if (error instanceof StatementTimeout) return null;
    throw error;
  }
}

function pageBody(
  { docChunks, after, data, total }: AlertPage,
  boundQuery: string,
  startedHourMs: number,
): Buffer {
  const next =
    after === null
      ? ''
      : `"next_page_token":"${encodePageToken({ startedHourMs, data, after }, boundQuery)}",`;
  return listBody('{"alerts":[', docChunks, `],${next}"total_size":${total}}`);
}
