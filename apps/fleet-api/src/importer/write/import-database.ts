import { setTimeout as sleep } from 'node:timers/promises';
import { OperationError } from '@gpu-observatory/service-runtime/process';
import type { XidCatalog } from '../../model/health/xid-catalog.ts';
import type { Batch, Outcomes } from './batch.ts';
import { BatchWriter } from './batch-writer.ts';
import { ImportConnection } from './import-connection.ts';

/** Maximum time of a statement. Statements take seconds; one that takes longer hangs in the server or the network. */
const STATEMENT_TIMEOUT_MS = 60_000;
const MIN_RETRY_MS = 500;
const MAX_RETRY_MS = 15_000;

/** Receives disconnects. With a listener, the connection is retried, for sources that cannot be read again. */
export interface ReconnectListener {
  onDisconnect(reason: string): void;
  onReconnect(): void;
}

/**
 * The importer's database. Without a listener the first error ends the import, since the same files can be imported again. With
 * a listener it reconnects and writes the batch again, which is idempotent.
 */
export class ImportDatabase {
  private writer: BatchWriter;
  private readonly end = new AbortController();
  /** Serializes work: a query between the statements of a batch would join its transaction. */
  private last: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly url: string,
    private readonly xidCatalog: XidCatalog,
    private connection: ImportConnection,
    private readonly listener: ReconnectListener | null,
  ) {
    this.writer = new BatchWriter(connection, xidCatalog);
  }

  /** @throws {OperationError} when the first connection fails */
  static async open(
    url: string,
    xidCatalog: XidCatalog,
    listener: ReconnectListener | null = null,
  ): Promise<ImportDatabase> {
    return new ImportDatabase(url, xidCatalog, await connect(url, listener), listener);
  }

  write(batch: Batch): Promise<Outcomes> {
    return this.enqueue(() => this.writer.write(batch));
  }

  query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.enqueue(() => this.connection.query<Row>(text, values));
  }

  /** Ends the running statement and all retries. */
  abort(): void {
    this.end.abort();
    this.connection.abort();
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  private enqueue<T>(work: () => Promise<T>): Promise<T> {
    const own = this.last.then(() => this.retrying(work));
    this.last = own.catch(() => undefined);
    return own;
  }

  private async retrying<T>(work: () => Promise<T>): Promise<T> {
    const { listener } = this;
    if (listener === null) return work();
    for (;;) {
      try {
        return await work();
      } catch (failure) {
        if (!this.connection.isConnectionError(failure) || this.end.signal.aborted) throw failure;
        listener.onDisconnect((failure as Error).message);
      }
      await this.reconnect(listener);
    }
  }

  private async reconnect(listener: ReconnectListener): Promise<void> {
    this.connection.abort();
    for (let wait = MIN_RETRY_MS; ; wait = Math.min(wait * 2, MAX_RETRY_MS)) {
      await sleep(wait, undefined, { signal: this.end.signal }).catch(() => {
        throw new OperationError('the fleet database was unavailable when the import was ended');
      });
      try {
        this.connection = await connect(this.url, listener);
        this.writer = new BatchWriter(this.connection, this.xidCatalog);
        listener.onReconnect();
        return;
      } catch (failure) {
        listener.onDisconnect((failure as Error).message);
      }
    }
  }
}

/** Opens a connection. Without a listener nothing is retried, so a statement may wait for a lock without a limit. */
function connect(url: string, listener: ReconnectListener | null): Promise<ImportConnection> {
  return ImportConnection.open(url, listener === null ? null : STATEMENT_TIMEOUT_MS);
}
