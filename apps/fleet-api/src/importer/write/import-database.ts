import { setTimeout as sleep } from 'node:timers/promises';
import { OperationError } from '@gpu-observatory/service-runtime';
import type { Batch, Outcomes } from './batch.ts';
import { BatchWriter } from './batch-writer.ts';
import { ImportConnection } from './import-connection.ts';

/** A batch takes seconds; a server that is silent for longer has frozen, or the network between has. */
const LONGEST_STATEMENT_MS = 60_000;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;

/** What a source that cannot be read again does while the database is away: it tells, and tries again. */
export interface ReconnectListener {
  onDisconnect(reason: string): void;
  onReconnect(): void;
}

/**
 * The importer's way to the database. Without patience its first failure is the import's end, since the same files can be
 * imported again; with patience it connects anew and writes the same batch again, which is as good as once.
 */
export class ImportDatabase {
  private writer: BatchWriter;
  private readonly end = new AbortController();
  /** One at a time: a question between the statements of a batch would be a part of its transaction. */
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly url: string,
    private connection: ImportConnection,
    private readonly patience: ReconnectListener | null,
  ) {
    this.writer = new BatchWriter(connection);
  }

  /** @throws {OperationError} when the database cannot be reached: patience begins with the first connection */
  static async open(url: string, patience: ReconnectListener | null = null): Promise<ImportDatabase> {
    return new ImportDatabase(url, await ImportConnection.open(url), patience);
  }

  write(batch: Batch): Promise<Outcomes> {
    return this.inTurn(() => this.writer.write(batch));
  }

  query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.inTurn(() => this.connection.query<Row>(text, values));
  }

  /** Ends what is in flight, and every further try. */
  abort(): void {
    this.end.abort();
    this.connection.abort();
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(() => this.whileItLasts(work));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private async whileItLasts<T>(work: () => Promise<T>): Promise<T> {
    const { patience } = this;
    if (patience === null) return work();
    for (;;) {
      const frozen = setTimeout(() => this.connection.abort(), LONGEST_STATEMENT_MS);
      try {
        return await work();
      } catch (failure) {
        if (!this.connection.isConnectionError(failure) || this.end.signal.aborted) throw failure;
        patience.onDisconnect((failure as Error).message);
      } finally {
        clearTimeout(frozen);
      }
      await this.connectAgain(patience);
    }
  }

  private async connectAgain(patience: ReconnectListener): Promise<void> {
    this.connection.abort();
    for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LAST_RETRY_MS)) {
      await sleep(wait, undefined, { signal: this.end.signal }).catch(() => {
        throw new OperationError('the fleet database was away when the import was ended');
      });
      try {
        this.connection = await ImportConnection.open(this.url);
        this.writer = new BatchWriter(this.connection);
        patience.onReconnect();
        return;
      } catch (failure) {
        patience.onDisconnect((failure as Error).message);
      }
    }
  }
}
