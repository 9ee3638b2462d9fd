import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { OperationError } from '@gpu-observatory/service-runtime';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** A value of a COPY row; arrays become PostgreSQL arrays, dates RFC 3339. */
export type CopyValue = string | number | boolean | Date | null | readonly (number | null)[];

const COPY_ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const CHUNK_ROWS = 500;

/** SQLSTATE: the connection, the server's resources, an operator's intervention; a primary that became a standby. */
const CONNECTION_ERROR = /^(?:08|53|57)|^25006$/;
/** SQLSTATE: a value that its type cannot hold; more than the server has room for (an index entry, an array). */
const DATA_ERROR = /^(?:22|54)/;

/** The importer's own connection: one, since a customer's batches go one after the other anyway. */
export class ImportConnection {
  private broken = false;

  private constructor(
    private readonly client: pg.Client,
    private readonly socket: Socket,
  ) {
    client.once('end', () => (this.broken = true));
    client.once('error', () => (this.broken = true));
  }

  /** @throws {OperationError} when the database cannot be reached */
  static async open(url: string): Promise<ImportConnection> {
    const socket = new Socket();
    const client = new pg.Client({
      stream: () => socket,
      connectionString: url,
      application_name: 'fleet-import',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    });
    // Without a listener a broken connection would end the process; the statement in flight reports it.
    client.on('error', () => undefined);
    client.setTypeParser(pg.types.builtins.INT8, Number);
    await client.connect().catch((failure: Error) => {
      throw new OperationError(
        `the fleet database cannot be reached (${failure.message}): is IMPORTER_DATABASE_URL right?`,
      );
    });
    await client.query("SET timezone = 'UTC'");
    return new ImportConnection(client, socket);
  }

  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, values)).rows;
  }

  /** COPYs rows into a table: several times the speed of INSERT. */
  async copy(table: string, columns: readonly string[], rows: Iterable<readonly CopyValue[]>): Promise<void> {
    const sink = this.client.query(copyFrom(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
    await pipeline(Readable.from(copyChunks(rows)), sink);
  }

  /** Whether the database is what failed, not the statement: another connection may do better. */
  isConnectionError(failure: unknown): boolean {
    return this.broken || CONNECTION_ERROR.test(String((failure as { code?: unknown }).code ?? ''));
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** Ends a statement that takes too long by ending the connection: the server rolls back what was not committed. */
  abort(): void {
    this.socket.destroy();
  }
}

/** Whether it is what was to be written that the database refuses: fewer records, or others, may well be written. */
export function isDataError(failure: unknown): failure is Error {
  return failure instanceof Error && DATA_ERROR.test(String((failure as { code?: unknown }).code ?? ''));
}

function* copyChunks(rows: Iterable<readonly CopyValue[]>): Generator<string> {
  let lines: string[] = [];
  for (const row of rows) {
    lines.push(row.map(copyText).join('\t'));
    if (lines.length >= CHUNK_ROWS) {
      yield `${lines.join('\n')}\n`;
      lines = [];
    }
  }
  if (lines.length > 0) yield `${lines.join('\n')}\n`;
}

function copyText(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string')
    return /[\\\n\r\t]/.test(value) ? value.replace(/[\\\n\r\t]/g, (c) => COPY_ESCAPES[c] as string) : value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map((member: number | null) => member ?? 'NULL').join(',')}}`;
  return String(value);
}
