import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const HEARD_WITHIN_MS = 10_000;
const ASK_AGAIN_AFTER_MS = 100;
const LONGEST_READING = 2 ** 26;

/** A statement as the server was sent it: its text with `$1`, `$2`, …, and what these were, as texts. */
export interface SentStatement {
  text: string;
  values: (string | null)[];
}

/** What the server must be started with, so that its log can be read. */
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

/** Reads in the server's own log what fleet-api sends it. */
export class SentStatements {
  private readonly client: pg.Client;

  private constructor(client: pg.Client) {
    this.client = client;
  }

  /** @param url an administrator's: nobody else may read the log */
  static async open(url: string): Promise<SentStatements> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new SentStatements(client);
  }

  /**
   * The statement over alerts that a request is answered with.
   *
   * @throws Error when the log does not have it within 10 s
   */
  async over(ask: () => Promise<unknown>): Promise<SentStatement> {
    const begin = await this.logBytes();
    await this.configure("SET log_statement = 'all'");
    try {
      for (const deadline = Date.now() + HEARD_WITHIN_MS; Date.now() < deadline;) {
        await ask();
        // The server writes its log when it gets to it.
        await sleep(ASK_AGAIN_AFTER_MS);
        const found = (await this.entriesFrom(begin)).map(sentStatement).find((sent) => sent !== null);
        if (found) return found;
      }
      throw new Error('the server’s log does not have the statement of that request');
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

  private async entriesFrom(begin: number): Promise<LogEntry[]> {
    const { rows } = await this.client.query<{ text: string }>(
      "SELECT pg_read_file(pg_current_logfile('jsonlog'), $1, $2) AS text",
      [begin, LONGEST_READING],
    );
    const lines = (rows[0]?.text ?? '').split('\n');
    // What follows the last line break is not whole yet.
    return lines.slice(0, -1).map((line) => JSON.parse(line) as LogEntry);
  }
}

function sentStatement({ user, message = '', detail = '' }: LogEntry): SentStatement | null {
  const text = /^execute [^:]+: (.*)$/s.exec(message)?.[1];
  if (user !== 'fleet_api' || text === undefined || !/\bfleet\.alerts\b/.test(text)) return null;
  const values = [...detail.matchAll(/\$\d+ = (?:'((?:[^']|'')*)'|NULL)/g)].map(
    ([, value]) => value?.replaceAll("''", "'") ?? null,
  );
  return { text, values };
}
