import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const LOG_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 100;
const MAX_READ_BYTES = 2 ** 26;

/** A statement with parameters `$1`, `$2`, … and their values as text. */
export interface LoggedStatement {
  text: string;
  values: (string | null)[];
}

/** Server settings that `StatementLog` needs. */
export const LOG_SETTINGS = {
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_filename: 'server.log',
  log_rotation_age: 0,
  log_rotation_size: 0,
} as const;

interface LogEntry {
  user?: string;
  message?: string;
  detail?: string;
}

/** Reads the statements that fleet-api sends from the server's log. */
export class StatementLog {
  private readonly client: pg.Client;

  private constructor(client: pg.Client) {
    this.client = client;
  }

  /** @param url of an administrator, who may read the log */
  static async open(url: string): Promise<StatementLog> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new StatementLog(client);
  }

  /**
   * Returns the statement over `fleet.alerts` that a request causes.
   *
   * @throws {Error} when the log does not have it within 10 s
   */
  async captureAlertStatement(request: () => Promise<unknown>): Promise<LoggedStatement> {
    const offset = await this.logBytes();
    await this.configure("SET log_statement = 'all'");
    try {
      for (const deadline = Date.now() + LOG_TIMEOUT_MS; Date.now() < deadline;) {
        await request();
        // The server writes its log with a delay.
        await sleep(POLL_INTERVAL_MS);
        const found = (await this.entriesFrom(offset))
          .map(parseEntry)
          .find((statement) => statement !== null);
        if (found) return found;
      }
      throw new Error('the server log has no statement over fleet.alerts for that request');
    } finally {
      await this.configure('RESET log_statement');
    }
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  private async configure(change: string): Promise<void> {
    await this.client.query(`ALTER SYSTEM ${change}`);
    await this.client.query('SELECT pg_reload_conf()');
  }

  private async logBytes(): Promise<number> {
    const { rows } = await this.client.query<{ size: string }>(
      "SELECT size FROM pg_stat_file(pg_current_logfile('jsonlog'))",
    );
    return Number(rows[0]?.size);
  }

  private async entriesFrom(offset: number): Promise<LogEntry[]> {
    const { rows } = await this.client.query<{ text: string }>(
      "SELECT pg_read_file(pg_current_logfile('jsonlog'), $1, $2) AS text",
      [offset, MAX_READ_BYTES],
    );
    const lines = (rows[0]?.text ?? '').split('\n');
    // The last line may be incomplete.
    return lines.slice(0, -1).map((line) => JSON.parse(line) as LogEntry);
  }
}

function parseEntry({ user, message = '', detail = '' }: LogEntry): LoggedStatement | null {
  const text = /^execute [^:]+: (.*)$/s.exec(message)?.[1];
  if (user !== 'fleet_api' || text === undefined || !/\bfleet\.alerts\b/.test(text)) return null;
  const values = [...detail.matchAll(/\$\d+ = (?:'((?:[^']|'')*)'|NULL)/g)].map(
    ([, value]) => value?.replaceAll("''", "'") ?? null,
  );
  return { text, values };
}
