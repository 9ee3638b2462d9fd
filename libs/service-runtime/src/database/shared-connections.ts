import { isConnectionReusable } from './database-error.ts';
import type { Connection } from './connection.ts';
import type { Statement } from './statement.ts';

/** Above this depth a statement would wait longer than on a connection of the pool. */
const MAX_DEPTH = 8;
/** Many times as long as a quick read takes. */
const MAX_DELAY_MS = 50;
/** Time without new statements after a delay, so that an overloaded server rarely runs a statement twice. */
const PAUSE_MS = 1_000;
/** Time after which a connection that returns no results is closed. */
const STALL_TIMEOUT_MS = 2_800;

/** The statement has to run on a connection of its own. */
export class NotShared extends Error {}

interface SharedConnection {
  client: Connection;
  isConnected: boolean;
  isCorked: boolean;
  isClosed: boolean;
  /** Statements without a result, including those whose caller has moved to another connection. */
  pending: number;
  /** Callers that wait, by their statement. */
  callers: Set<(reason: Error) => void>;
  pausedUntil: number;
}

/**
 * Connections that several reads use at the same time, in the driver's pipeline mode. Reads of the same turn of the event
 * loop are sent with one system call, and the server starts the next one without waiting. A read whose connection is
 * delayed or breaks is rejected with `NotShared`, and the caller runs it on a connection of its own. So an error, a slow
 * statement or a timeout affects no other read. See docs/decisions/database-access.md#shared-connections.
 */
export class SharedConnections {
  private connections: SharedConnection[] = [];

  constructor(
    private readonly count: number,
    private readonly createClient: () => Connection,
  ) {}

  get total(): number {
    return this.connections.length;
  }

  /**
   * Runs a statement that only reads: it may run twice.
   *
   * @throws {NotShared} when it has to run on a connection of its own
   * @throws {pg.DatabaseError} when the server rejects the statement
   */
  query<Row extends object>(statement: Statement): Promise<Row[]> {
    const connection = this.select();
    if (connection === undefined) return Promise.reject(new NotShared());
    return new Promise<Row[]>((resolve, reject) => {
      let hasResult = false;
      const settle = (action: () => void) => {
        if (!connection.callers.delete(fail)) return;
        clearTimeout(timer);
        action();
      };
      const fail = (reason: Error) => settle(() => reject(reason));
      connection.callers.add(fail);
      connection.pending += 1;
      // Results that have arrived while this process was busy are read first.
      const timer = setTimeout(() => setImmediate(() => hasResult || this.pause(connection)), MAX_DELAY_MS);
      cork(connection);
      const ended = () => {
        hasResult = true;
        connection.pending -= 1;
      };
      connection.client.run<Row>(statement).then(
        ({ rows }) => {
          ended();
          settle(() => resolve(rows));
        },
        (error: Error) => {
          ended();
          if (isConnectionReusable(error)) fail(error);
          else this.close(connection);
        },
      );
    });
  }

  /** Closes all connections. Their reads fail with this error. */
  closeAll(reason: Error): void {
    for (const connection of this.connections) this.close(connection, reason);
  }

  /** Returns the available connection with the fewest statements. Opens another one until there are `count`. */
  private select(): SharedConnection | undefined {
    if (this.connections.length < this.count) this.open();
    const available = this.connections.filter(isAvailable);
    const [first, ...others] = available;
    return others.reduce((least, other) => (other.pending < (least?.pending ?? 0) ? other : least), first);
  }

  private open(): void {
    const client = this.createClient();
    const connection: SharedConnection = {
      client,
      isConnected: false,
      isCorked: false,
      isClosed: false,
      pending: 0,
      callers: new Set(),
      pausedUntil: 0,
    };
    this.connections.push(connection);
    const close = () => this.close(connection);
    client.on('error', close).on('end', close);
    client.connect().then(() => {
      connection.isConnected = true;
    }, close);
  }

  /** Moves the reads of a delayed connection, and starts none on it until it has returned all results. */
  private pause(connection: SharedConnection): void {
    connection.pausedUntil = performance.now() + PAUSE_MS;
    moveReads(connection, new NotShared());
    setTimeout(() => connection.pending > 0 && this.close(connection), STALL_TIMEOUT_MS).unref();
  }

  private close(connection: SharedConnection, reason: Error = new NotShared()): void {
    if (connection.isClosed) return;
    connection.isClosed = true;
    this.connections = this.connections.filter((other) => other !== connection);
    moveReads(connection, reason);
    connection.client.destroy();
  }
}

function isAvailable(connection: SharedConnection): boolean {
  if (connection.pausedUntil > 0) {
    if (connection.pending > 0 || performance.now() < connection.pausedUntil) return false;
    connection.pausedUntil = 0;
  }
  return connection.isConnected && connection.pending < MAX_DEPTH;
}

function moveReads({ callers }: SharedConnection, reason: Error): void {
  for (const fail of callers) fail(reason);
}

/** Collects the statements of this turn of the event loop. */
function cork(connection: SharedConnection): void {
  if (connection.isCorked) return;
  connection.isCorked = true;
  const { socket } = connection.client;
  socket.cork();
  setImmediate(() => {
    connection.isCorked = false;
    socket.uncork();
  });
}
