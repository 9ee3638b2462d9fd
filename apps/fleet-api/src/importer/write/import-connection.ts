import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Connection, openSession } from '@gpu-observatory/service-runtime/process';
import { from as copyFrom } from 'pg-copy-streams';
import { type CopyRow, textRows } from './copy-rows.ts';

/** SQLSTATE classes 08 connection, 53 resources, 57 operator intervention; 25006: the primary became a standby. */
const CONNECTION_ERROR = /^(?:08|53|57)|^25006$/;
/** SQLSTATE classes 22 invalid data, 54 limit exceeded (an index entry, an array). */
const DATA_ERROR = /^(?:22|54)/;

/** The importer's connection. One is enough: batches of a customer are serialized. */
export class ImportConnection {
  private isBroken = false;

  private constructor(
    private readonly client: Connection,
    private readonly statementTimeoutMs: number | null,
  ) {
    client.once('end', () => (this.isBroken = true));
    client.once('error', () => (this.isBroken = true));
  }

  /**
   * @param statementTimeoutMs maximum time of a statement, after which the connection is closed; null for no limit
   * @throws {OperationError} when the database cannot be reached
   */
  static async open(url: string, statementTimeoutMs: number | null = null): Promise<ImportConnection> {
    const client = await openSession({
      url,
      schema: 'fleet',
      variable: 'IMPORTER_DATABASE_URL',
      applicationName: 'fleet-import',
    });
    return new ImportConnection(client, statementTimeoutMs);
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.limited(this.client.query<Row>(text, values))).rows;
  }

  /** Inserts rows with COPY, which is several times as fast as INSERT. Further rows are taken while earlier ones are sent. */
  async copy<Column extends string>(
    table: string,
    columns: readonly Column[],
    rows: Iterable<Partial<CopyRow<Column>>>,
  ): Promise<void> {
    const sink = this.client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
    await this.limited(pipeline(Readable.from(textRows(columns, rows)), sink));
  }

  /** Closes the connection when a statement exceeds the maximum time. */
  private async limited<T>(statement: Promise<T>): Promise<T> {
    if (this.statementTimeoutMs === null) return statement;
    const timeout = setTimeout(() => this.abort(), this.statementTimeoutMs);
    return statement.finally(() => clearTimeout(timeout));
  }

  /** Returns whether the connection or the server failed, so that a retry on a new connection may succeed. */
  isConnectionError(failure: unknown): boolean {
    return this.isBroken || CONNECTION_ERROR.test(String((failure as { code?: unknown }).code ?? ''));
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** Closes the socket, which ends a running statement: the server rolls back. */
  abort(): void {
    this.client.destroy();
  }
}

/** Returns whether the database rejected the data, so that other records can be written. */
export function isDataError(failure: unknown): failure is Error {
  return failure instanceof Error && DATA_ERROR.test(String((failure as { code?: unknown }).code ?? ''));
}
