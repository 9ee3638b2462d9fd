import { Socket } from 'node:net';
import pg from 'pg';

/** A connection to PostgreSQL whose socket this process can close. */
export class Connection extends pg.Client {
  readonly socket: Socket;

  constructor(config: pg.ClientConfig = {}) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
  }

  /** Closes the connection without waiting for the server, which may be frozen or unreachable. The server rolls back. */
  destroy(): void {
    this.socket.destroy();
  }
}
