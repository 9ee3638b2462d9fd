import { docsBeforeLast, lastDocOf, parseAlertDoc } from '../../../model/alerts/alert-document.ts';
import { rangeOf } from '../../access/access-scope.ts';
import type { CustomerReader } from '../../access/tenant-database.ts';
import type { BoundStatement, TenantStatement } from '../../access/tenant-statement.ts';
import {
  ALERT_DATA,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
} from '../../data-version/data-version.ts';
import {
  FIRST_PAGES,
  firstPageWithTextFilters,
  laterPageWithTextFilters,
  NEWEST_ALERTS,
  type PageParameters,
  PAGES_AS_OF,
  totalWithTextFilters,
} from '../alerts.statements.ts';
import { countParameters } from '../counts/stored-counts.ts';
import { isUnfiltered, selectionParameters } from '../filters/alert-selection.ts';
import { sortKeyOf } from '../order/alert-sorts.ts';
import type { AlertListing } from '../order/page-order.ts';
import { orderNameOf, PAGE_ORDERS, type PageOrderName } from '../order/page-orders.ts';
import type { TextSearch } from '../text/text-search.ts';
import type { AlertPage, PagePosition, PageSource } from './alert-page.ts';

/** One chunk of the page: `rows` documents, separated by commas. */
interface ChunkRow {
  chunk: number;
  docs: string;
  rows: number;
}

/** Additional row of a first page: the data version of the snapshot, and the number of alerts on all pages. */
interface FirstPageRow {
  chunk: null;
  data_version: DataVersionRow | null;
  total: number | null;
}

/** The alerts of one customer in a list, read from one snapshot. */
export class CustomerAlerts implements PageSource {
  constructor(
    private readonly customer: CustomerReader,
    private readonly listing: AlertListing,
    private readonly search: TextSearch | null,
  ) {}

  async readRows(limit: number, position: PagePosition | null, rowsPerChunk: number): Promise<AlertPage> {
    const rows = await this.customer.query<ChunkRow | FirstPageRow>(
      this.newestAlerts(limit, position, rowsPerChunk) ?? this.pageStatement(limit, position, rowsPerChunk),
    );
    const firstPageRows = rows.filter((row) => row.chunk === null);
    const chunks = rows.filter((row) => row.chunk !== null).sort((a, b) => a.chunk - b.chunk);
    const data = position?.data ?? dataVersionOf(firstPageRows, ALERT_DATA);
    return { ...this.toPage(chunks, limit), data, total: firstPageRows[0]?.total ?? null };
  }

  /** Counts the alerts that match text filters, as of a data version. */
  async countMatchesAsOf(search: TextSearch, data: DataVersion): Promise<number> {
    const [row] = await this.customer.query<{ total: number }>(
      totalWithTextFilters(search.alertsIn(this.customer.scope)).with({
        ...selectionParameters(this.listing.selection),
        seq: this.seqIn(data),
      }),
    );
    return row?.total ?? 0;
  }

  /** Returns the statement of a first page of the newest alerts in one chunk and without filters; undefined for any other page. */
  private newestAlerts(
    limit: number,
    position: PagePosition | null,
    rowsPerChunk: number,
  ): BoundStatement | undefined {
    const { selection, sort } = this.listing;
    const range = rangeOf(this.customer.scope);
    const isNewest = position === null && sort.field === 'timestamp' && sort.descending;
    return isNewest && isUnfiltered(selection) && limit < rowsPerChunk && range !== 'apiKey'
      ? NEWEST_ALERTS[range].with({ limit })
      : undefined;
  }

  /**
   * Returns the statement of a first page, which also reads the data version and the total, or of a later page, which is read as of
   * that version.
   */
  private pageStatement(limit: number, position: PagePosition | null, rowsPerChunk: number): BoundStatement {
    const { selection } = this.listing;
    const name = orderNameOf(this.listing);
    const parameters: PageParameters = {
      ...selectionParameters(selection),
      ...PAGE_ORDERS[name].parameters(this.listing, position?.after ?? null),
      limit,
      rowsPerChunk,
    };
    if (position !== null) {
      parameters.seq = this.seqIn(position.data);
    } else if (this.search === null) {
      // Stored counts do not include texts.
      Object.assign(parameters, countParameters(selection, this.customer.scope, { groupedBy: [] }));
    }
    return this.statementIn(name, position === null).with(parameters);
  }

  private statementIn(name: PageOrderName, isFirst: boolean): TenantStatement<PageParameters> {
    const { scope } = this.customer;
    if (this.search !== null) {
      const alerts = this.search.alertsIn(scope);
      return isFirst ? firstPageWithTextFilters(name, alerts) : laterPageWithTextFilters(name, alerts);
    }
    const range = rangeOf(scope);
    const statement = (isFirst ? FIRST_PAGES : PAGES_AS_OF)[name][range];
    if (statement === undefined)
      throw new Error(`No statement returns pages in the order ${name} for the range ${range}`);
    return statement;
  }

  /** Returns the customer's sequence number in a data version; 0 for a customer without imports at that time. */
  private seqIn({ seqs }: DataVersion): number {
    const [, seq = 0] = seqs.find(([customerId]) => customerId === this.customer.scope.customerId) ?? [];
    return seq;
  }

  /** Builds the page from its chunks, without the row after `limit`, which only shows that more rows follow. */
  private toPage(chunks: readonly ChunkRow[], limit: number): Omit<AlertPage, 'data' | 'total'> {
    const docChunks = chunks.map(({ docs }) => docs);
    const count = chunks.reduce((sum, { rows }) => sum + rows, 0);
    const hasMore = count > limit;
    if (hasMore) {
      const remaining = docsBeforeLast(docChunks.pop() ?? '');
      if (remaining !== '') docChunks.push(remaining);
    }
    const lastChunk = docChunks.at(-1);
    const after =
      hasMore && lastChunk !== undefined
        ? sortKeyOf(this.listing.sort.field, parseAlertDoc(lastDocOf(lastChunk)))
        : null;
    return { docChunks, rows: Math.min(count, limit), after };
  }
}
