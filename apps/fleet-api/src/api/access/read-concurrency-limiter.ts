import { SECOND_MS } from '@gpu-observatory/domain-types';
import type { Runtime, WriteBuffer } from '@gpu-observatory/service-runtime';
import type { ReadLimits } from '../../config/read-limits.config.ts';
import { COST_CLASSES, type CostClass, tooManyReads } from './cost-class.ts';
import { NONE_AHEAD, ReadsAhead } from './reads-ahead.ts';
import { RowSizes } from './row-sizes.ts';
import { PagePieces, SmallReadPriority } from './small-read-priority.ts';

/** Longest time in the queue: enough for the burst of an opening dashboard. */
const MAX_QUEUE_MS = { fast: SECOND_MS, slow: 5 * SECOND_MS, large: 5 * SECOND_MS };
/** Largest page of class `fast`, in rows. */
const SMALL_PAGE_ROWS = 1_000;
/** Expected size of a row in a response, before the first large page of its customer. */
const INITIAL_ROW_BYTES = 2_048;
/** First rows of that page, which measure the size of the others. */
const FIRST_ROWS = 1_000;
/** Pages of the same customer differ in size. */
const SIZE_MARGIN = 1.1;
/** Share of the largest page at which no further rows are read. */
const FULL_PAGE = 3 / 4;
/** While no other customer sends small reads, one large page is read while another one is built and sent. */
const ROWS_FACTOR_WHEN_ALONE = 2;
/** A large page is in memory twice: as the texts from the database and as the body. */
const COPIES = 2;

/** Cost of a read for other customers. */
export interface ReadCost {
  /** Whether it compares texts row by row. */
  slow?: boolean;
  /** Maximum number of rows of the page. */
  rows?: number;
  /** Whether it reads many GPUs or a piece of a long list, so that it has no priority over large pages. */
  isLongList?: boolean;
}

/** A read that runs. */
export interface RunningRead {
  /**
   * Waits for reads with priority, and returns how many of the remaining rows to read next: none when the page would use too
   * much memory.
   *
   * @param bytes of the rows that have been read
   */
  nextRows(remainingRows: number, bytes: number): Promise<number>;
  /** Reports the size of the page. */
  measured(rows: number, bytes: number): void;
}

interface Read {
  customerIds: readonly number[];
  costClass: CostClass;
  /** Whether large pages of other customers wait for it. */
  isSmall: boolean;
  /** 0 for a small page. */
  rows: number;
  /** Expected memory of a large page. */
  bytes: number;
}

interface QueuedRead extends Read {
  start(): void;
}

const IDLE = { reads: 0, slow: 0, rows: 0, bytes: 0 };

/**
 * Limits the concurrent reads of each customer, with a lower limit for slow ones, so that no tenant starves another or
 * its own fast reads, and the rows of its large pages. A large page also waits until the memory for large pages and the
 * write buffer have room for it. A read over several customers counts for each of them. Reads above the limit wait briefly
 * in a queue, first come, first served. See docs/decisions/read-concurrency.md.
 */
export class ReadConcurrencyLimiter {
  private readonly running = new Map<number, typeof IDLE>();
  private readonly queue = new Set<QueuedRead>();
  private startingReads: NodeJS.Immediate | undefined;
  private readonly smallReads = new SmallReadPriority();
  private slowRunning = 0;
  private bytesRunning = 0;
  private readonly rowSizes = new RowSizes();

  constructor(
    private readonly limits: ReadLimits,
    private readonly writeBuffer: Pick<WriteBuffer, 'hasRoom' | 'onRelease'>,
    private readonly onReject: (costClass: CostClass) => void = () => undefined,
    private readonly onPiece: () => void = () => undefined,
  ) {
    writeBuffer.onRelease = () => this.startQueued();
  }

  static withMetrics(
    limits: ReadLimits,
    { metrics, writeBuffer }: Pick<Runtime, 'metrics' | 'writeBuffer'>,
  ): ReadConcurrencyLimiter {
    const rejected = metrics.counter(
      'reads_rejected_total',
      'Reads rejected by the per-customer concurrency limit.',
      'cost_class',
    );
    const pieces = metrics.counter(
      'large_page_pieces_total',
      'Pieces of large pages that gave priority to small reads of other customers.',
    );
    const limiter = new ReadConcurrencyLimiter(limits, writeBuffer, rejected, pieces);
    metrics.gauge('reads_queued', 'Reads that wait for the concurrency limit.', () => limiter.queue.size);
    metrics.gauge('slow_reads_running', 'Running reads with text filters.', () => limiter.slowRunning);
    return limiter;
  }

  /**
   * Runs a read as soon as the limits allow it.
   *
   * @throws {DomainError} `too_many_requests` with `Retry-After` when the read waited too long
   */
  async run<Result>(
    customerIds: readonly number[],
    { slow = false, rows = 0, isLongList = false }: ReadCost,
    read: (running: RunningRead) => Promise<Result>,
  ): Promise<Result> {
    const isLarge = rows > SMALL_PAGE_ROWS;
    const rowBytes = isLarge ? this.rowSizes.expected(customerIds) : undefined;
    const bytes = isLarge
      ? Math.min(this.maxPageBytes, Math.ceil(rows * (rowBytes ?? INITIAL_ROW_BYTES)))
      : 0;
    const isSmall = !slow && !isLarge && !isLongList;
    const costClass = slow ? 'slow' : isLarge ? 'large' : 'fast';
    const cost = { customerIds, costClass, isSmall, rows: isLarge ? rows : 0, bytes } as const;
    if (this.canStart(cost, NONE_AHEAD) && this.canStart(cost, this.readsAhead())) this.count(cost, 1);
    else await this.enqueue(cost);
    try {
      return await read(isLarge ? this.largePage(customerIds, rows) : SMALL_READ);
    } finally {
      const ended = () => {
        this.count(cost, -1);
        this.startQueued();
      };
      // By then, the write buffer counts the response of a large page.
      if (isLarge) setImmediate(ended);
      else ended();
    }
  }

  /** Returns the pieces of a long list of these customers, which wait for small reads of others. */
  pieces(customerIds: readonly number[]): PagePieces {
    return new PagePieces(customerIds, this.smallReads, this.onPiece);
  }

  private largePage(customerIds: readonly number[], pageRows: number): RunningRead {
    const pieces = this.pieces(customerIds);
    const { maxPageBytes } = this;
    const expected = this.rowSizes.expected(customerIds);
    return {
      nextRows: async (remainingRows, bytes) => {
        if (bytes >= FULL_PAGE * maxPageBytes) return 0;
        const readRows = pageRows - remainingRows;
        const rowBytes = readRows > 0 ? bytes / readRows : expected;
        const fitting =
          rowBytes === undefined ? FIRST_ROWS : Math.max(1, Math.floor((maxPageBytes - bytes) / rowBytes));
        return pieces.next(Math.min(remainingRows, fitting));
      },
      measured: (rows, bytes) => {
        if (rows >= FIRST_ROWS) this.rowSizes.measured(customerIds, bytes / rows);
      },
    };
  }

  /** Size of the largest page, whose memory is all that large pages may use. */
  private get maxPageBytes(): number {
    return this.limits.bytes / COPIES;
  }

  /** Whether a read may start without taking what reads ahead of it wait for. */
  private canStart(read: Read, ahead: Readonly<ReadsAhead>): boolean {
    const isBehindLargePage = read.rows > 0 && ahead.waitsForMemory;
    return (
      !isBehindLargePage &&
      this.hasSlots(read, ahead) &&
      this.isWithinClassLimits(read, ahead) &&
      this.hasSharedRoom(read)
    );
  }

  /** Whether the customers run fewer reads than their limit. */
  private hasSlots({ customerIds, costClass }: Read, ahead: Readonly<ReadsAhead>): boolean {
    return customerIds.every(
      (id) => (this.running.get(id) ?? IDLE).reads + ahead.of(id, costClass) < this.limits.reads,
    );
  }

  /** Whether the customers are below their own limits of slow reads and large pages. */
  private isWithinClassLimits(
    { customerIds, costClass, rows, bytes }: Read,
    ahead: Readonly<ReadsAhead>,
  ): boolean {
    const { limits } = this;
    if (costClass === 'fast') return true;
    if (costClass === 'slow') {
      return customerIds.every(
        (id) => (this.running.get(id) ?? IDLE).slow + ahead.of(id, costClass) < limits.slowReads,
      );
    }
    const expectedBytes = Math.max(...customerIds.map((id) => this.running.get(id)?.bytes ?? 0));
    if (!this.writeBuffer.hasRoom(customerIds, bytes * SIZE_MARGIN, expectedBytes)) return false;
    const maxRows = this.smallReads.isActive(customerIds)
      ? limits.rows
      : limits.rows * ROWS_FACTOR_WHEN_ALONE;
    return customerIds.every((id) => {
      const running = this.running.get(id) ?? IDLE;
      return ahead.of(id, costClass) === 0 && (running.rows === 0 || running.rows + rows <= maxRows);
    });
  }

  /** Whether all customers together leave room for a slow read or a large page. */
  private hasSharedRoom({ costClass, bytes }: Read): boolean {
    if (costClass === 'slow') return this.slowRunning < this.limits.allSlowReads;
    return (
      costClass === 'fast' ||
      this.bytesRunning === 0 ||
      this.bytesRunning + bytes * COPIES <= this.limits.bytes
    );
  }

  private count({ customerIds, costClass, isSmall, rows, bytes }: Read, factor: 1 | -1): void {
    const isSlow = costClass === 'slow';
    if (isSlow) this.slowRunning += factor;
    this.bytesRunning += factor * bytes * COPIES;
    if (isSmall) {
      if (factor === 1) this.smallReads.readStarted(customerIds);
      else this.smallReads.readEnded(customerIds);
    }
    for (const id of customerIds) {
      const running = this.running.get(id) ?? IDLE;
      const reads = running.reads + factor;
      if (reads === 0) this.running.delete(id);
      else {
        const slowReads = running.slow + (isSlow ? factor : 0);
        this.running.set(id, {
          reads,
          slow: slowReads,
          rows: running.rows + factor * rows,
          bytes: running.bytes + factor * bytes,
        });
      }
    }
  }

  private enqueue(read: Read): Promise<void> {
    const { costClass } = read;
    return new Promise((resolve, reject) => {
      const queued: QueuedRead = {
        ...read,
        start: () => {
          clearTimeout(timer);
          this.queue.delete(queued);
          this.count(read, 1);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.queue.delete(queued);
        this.onReject(costClass);
        reject(tooManyReads(costClass));
        this.startReadsBehind();
      }, MAX_QUEUE_MS[costClass]);
      this.queue.add(queued);
    });
  }

  /** Starts reads behind rejected ones. Once for those rejected together: the queue of a flood is long. */
  private startReadsBehind(): void {
    this.startingReads ??= setImmediate(() => {
      this.startingReads = undefined;
      this.startQueued();
    });
  }

  /** Starts reads in order of arrival. Each keeps its place while it waits. */
  private startQueued(): void {
    const ahead = new ReadsAhead();
    for (const queued of this.queue) {
      if (this.canStart(queued, ahead)) queued.start();
      else this.addWaiting(queued, ahead);
    }
  }

  private readsAhead(): ReadsAhead {
    const ahead = new ReadsAhead();
    for (const queued of this.queue) this.addWaiting(queued, ahead);
    return ahead;
  }

  /** A read at a limit of its class keeps its place in its class only, so that a search does not delay dashboards. */
  private addWaiting(read: Read, ahead: ReadsAhead): void {
    const { customerIds, costClass, rows } = read;
    const isWithinClassLimits = this.isWithinClassLimits(read, NONE_AHEAD);
    const waitsForSlots = isWithinClassLimits && this.hasSharedRoom(read);
    ahead.add(customerIds, waitsForSlots ? COST_CLASSES : [costClass]);
    if (rows > 0 && isWithinClassLimits && !waitsForSlots && this.hasSlots(read, NONE_AHEAD))
      ahead.waitsForMemory = true;
  }
}

const SMALL_READ: RunningRead = {
  nextRows: (remainingRows) => Promise.resolve(remainingRows),
  measured: () => undefined,
};
