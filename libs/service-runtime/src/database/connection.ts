import { Socket } from 'node:net';
import pg from 'pg';
import type { Statement } from './statement.ts';

/** A connection to PostgreSQL whose socket this process can close. */
export class Connection extends pg.Client {
  readonly socket: Socket;

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
  }

  /**
   * Runs one statement, with a callback of pg. The results of its promises outlive their callers, so V8 moves them to the old
   * generation. That takes a third of the CPU time of a page.
   */
  run<Row extends object>({ name, text, values = [] }: Statement): Promise<pg.QueryResult<Row>> {
    return new Promise((resolve, reject) => {
      this.query<Row>({ name, text, values }, (error, result) => (error ? reject(error) : resolve(result)));
    });
  }

  /** Closes the connection without waiting for the server, which may be frozen or unreachable. The server rolls back. */
  destroy(): void {
    this.socket.destroy();
  }
}
