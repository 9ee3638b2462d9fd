import { docsBeforeLast, lastDocOf, parseAlertDoc } from '../../../model/alerts/alert-document.ts';
import { rangeOf } from '../../access/access-scope.ts';
import type { CustomerReader } from '../../access/tenant-database.ts';
import type { TenantStatement } from '../../access/tenant-statement.ts';
import {
  ALERT_DATA,
  type DataVersion,
  dataVersionOf,
  type DataVersionRow,
} from '../../data-version/data-version.ts';
import {
  FIRST_PAGES,
  firstPageOfTexts,
  pageOfTextsAsOf,
  type PageParameters,
  PAGES_AS_OF,
  totalOfTextsAsOf,
} from '../alerts.statements.ts';
import { countParameters } from '../counts/stored-counts.ts';
import type { AlertSelection } from '../filters/alert-selection.ts';
import { type AlertSort, sortKeyOf } from '../order/alert-sorts.ts';
import { orderOf } from '../order/order-parameters.ts';
import type { PageOrderName } from '../order/page-orders.ts';
import type { TextSearch } from '../text/text-search.ts';
import type { AlertPage, PagePosition, PageSource } from './alert-page.ts';

/** A query of the list, without the page. */
export interface AlertListing {
  selection: AlertSelection;
  sort: AlertSort;
}

/** A chunk of the page. */
interface ChunkRow {
  chunk: number;
  docs: string;
  rows: number;
}

/** What the first page has besides its chunks. */
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
    const { selection, sort } = this.listing;
    const { name, parameters } = orderOf(sort, selection, position?.after ?? null);
    const rows = await this.customer.query<ChunkRow | FirstPageRow>(
      this.statement(name, position === null).with({
        ...parameters,
        ...selection.values,
        ...this.search?.parameters,
        ...(position === null
          ? countParameters(selection, this.customer.scope, { groupedBy: [] })
          : { seq: this.seqIn(position.data) }),
        limit,
        rowsPerChunk,
      }),
    );
    const ofFirstPage = rows.filter((row) => row.chunk === null);
    const chunks = rows.filter((row) => row.chunk !== null).sort((a, b) => a.chunk - b.chunk);
    const data = position?.data ?? dataVersionOf(ofFirstPage, ALERT_DATA);
    return { ...this.toPage(chunks, limit), data, total: ofFirstPage[0]?.total ?? null };
  }

  /** Counts the alerts that match text filters, as of a data version. */
  async countTextsAsOf(search: TextSearch, data: DataVersion): Promise<number> {
    const { selection } = this.listing;
    const [row] = await this.customer.query<{ total: number }>(
      totalOfTextsAsOf(search.alertsIn(this.customer.scope)).with({
        ...selection.values,
        ...search.parameters,
        seq: this.seqIn(data),
        from: new Date(selection.window.fromMs),
        to: new Date(selection.window.toMs),
      }),
    );
    return row?.total ?? 0;
  }

  /** Returns the statement of the first rows, with the data version that later pages are read as of, or of a later page. */
  private statement(name: PageOrderName, isFirst: boolean): TenantStatement<PageParameters> {
    const { scope } = this.customer;
    if (this.search !== null)
      return (isFirst ? firstPageOfTexts : pageOfTextsAsOf)(name, this.search.alertsIn(scope));
    const range = rangeOf(scope);
    const statement = (isFirst ? FIRST_PAGES : PAGES_AS_OF)[name][range];
    if (statement === undefined) throw new Error(`No statement has pages of a ${range} by ${name}`);
    return statement;
  }

  /** Returns the sequence number of a data version. A customer without imports at that time has none. */
  private seqIn({ seqs }: DataVersion): number {
    const [, seq = 0] = seqs.find(([customerId]) => customerId === this.customer.scope.customerId) ?? [];
    return seq;
  }

  /** Removes the additional row, which only shows that more rows follow. */
  private toPage(chunks: readonly ChunkRow[], limit: number): Omit<AlertPage, 'data' | 'total'> {
    const docChunks = chunks.map(({ docs }) => docs);
    const count = chunks.reduce((sum, { rows }) => sum + rows, 0);
    const hasMore = count > limit;
    if (hasMore) {
      const docs = docsBeforeLast(docChunks.pop() ?? '');
      if (docs !== '') docChunks.push(docs);
    }
    const lastChunk = docChunks.at(-1);
    const last =
      lastChunk === undefined
        ? null
        : sortKeyOf(this.listing.sort.field, parseAlertDoc(lastDocOf(lastChunk)));
    return { docChunks, rows: Math.min(count, limit), hasMore, last };
  }
}
