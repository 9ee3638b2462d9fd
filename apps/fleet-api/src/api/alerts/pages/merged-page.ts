import { parseAlertDoc } from '../../../model/alerts/alert-document.ts';
import { mergeDataVersions } from '../../data-version/data-version.ts';
import {
  type AlertSort,
  compareSortKeys,
  type SortField,
  type SortKey,
  sortKeyOf,
} from '../order/alert-sorts.ts';
import { type AlertPage, type PagePosition, type PageSource, SMALL_PAGE_ROWS } from './alert-page.ts';

interface MergeOptions {
  sort: AlertSort;
  /** Maximum number of alerts of the page. */
  size: number;
  /** Size of the documents at which the page ends early, in bytes. */
  maxBytes: number;
  /** Maximum number of alerts of a customer that are in memory before they are merged. */
  maxBatchRows?: number;
}

/**
 * Reads a page as the merge of one snapshot per customer. Each customer's alerts are read in batches; further batches are read as of
 * the customer's data version.
 *
 * @param position null for the first page
 */
export async function mergePage(
  customers: readonly PageSource[],
  { sort, size, maxBytes, maxBatchRows = SMALL_PAGE_ROWS }: MergeOptions,
  position: PagePosition | null,
): Promise<AlertPage> {
  const queues = await Promise.all(
    customers.map(async (source) => {
      const batch = await source.readRows(Math.min(size, maxBatchRows), position, 1);
      return new AlertQueue(source, batch, sort.field);
    }),
  );
  const page = emptyPage(queues.map(({ batch }) => batch));
  const compare = compareSortKeys(sort);
  let last: SortKey | null = null;
  let bytes = 0;
  while (page.rows < size && bytes < maxBytes) {
    const limit = Math.min(size - page.rows, maxBatchRows);
    if (!queues.every(({ isReady }) => isReady)) await Promise.all(queues.map((queue) => queue.fill(limit)));
    const first = firstOf(queues, compare);
    if (first === null) return page;
    last = first.nextKey;
    const doc = first.take();
    page.docChunks.push(doc);
    page.rows += 1;
    bytes += Buffer.byteLength(doc);
  }
  if (queues.some(({ batch, nextKey }) => nextKey !== null || batch.after !== null)) page.after = last;
  return page;
}

/** The alerts of one customer in the order of the page. One batch of them is in memory. */
class AlertQueue {
  /** Sort key of the next alert; null when all alerts of the batch are on the page. */
  nextKey: SortKey | null = null;
  /** Index of the next alert of the batch. */
  private next = 0;

  /** @param batch the first batch, with one document per chunk */
  constructor(
    private readonly source: PageSource,
    public batch: AlertPage,
    private readonly field: SortField,
  ) {
    this.moveTo(0);
  }

  /** Whether the next alert is in memory, or all alerts have been read. */
  get isReady(): boolean {
    return this.nextKey !== null || this.batch.after === null;
  }

  /** Reads another batch if the next alert is not in memory. */
  async fill(limit: number): Promise<void> {
    const { data, after } = this.batch;
    if (this.nextKey !== null || after === null) return;
    this.batch = await this.source.readRows(limit, { data, after }, 1);
    this.moveTo(0);
  }

  /** Removes the next alert. @returns its document */
  take(): string {
    const doc = this.batch.docChunks[this.next] as string;
    this.moveTo(this.next + 1);
    return doc;
  }

  private moveTo(next: number): void {
    const doc = this.batch.docChunks[next];
    this.next = next;
    this.nextKey = doc === undefined ? null : sortKeyOf(this.field, parseAlertDoc(doc));
  }
}

/** Returns a page without rows, with the data version and the total of all customers. @param batches the first batch of each */
function emptyPage(batches: readonly AlertPage[]): AlertPage {
  const totals = batches.map(({ total }) => total);
  return {
    docChunks: [],
    rows: 0,
    after: null,
    data: mergeDataVersions(batches.map(({ data }) => data)),
    total: totals.reduce((sum, total) => (sum === null || total === null ? null : sum + total), 0),
  };
}

/** Returns the queue with the next alert of the page; null when all queues are empty. */
function firstOf(
  queues: readonly AlertQueue[],
  compare: (a: SortKey, b: SortKey) => number,
): AlertQueue | null {
  let first: AlertQueue | null = null;
  for (const queue of queues) {
    if (queue.nextKey === null) continue;
    if (first === null || first.nextKey === null || compare(first.nextKey, queue.nextKey) > 0) first = queue;
  }
  return first;
}
