import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { Parser } from 'pg-protocol/dist/parser.js';
import { PreparedStatements } from './prepared-statements.ts';
import type { TextMemory } from './text-memory.ts';

/** Length from which a text is returned as bytes. */
const MIN_BYTES = 4 * 1024;

/** Parts of the driver that its types do not declare. */
interface Connection extends EventEmitter {
  /** Called once the connection is established, with the encrypted stream where there is one. */
  attachListeners(stream: NodeJS.ReadableStream): void;
}
interface Reader {
  string(length: number): string | Buffer;
  bytes(length: number): Buffer;
}

/**
 * A client that can return long texts as bytes. A large response consists of texts that the service passes on unread. As strings
 * they would be decoded, encoded again and collected as garbage, which is most of the cost of such a response.
 */
export class LongTextClient extends pg.Client {
  readonly preparedStatements = new PreparedStatements();
  private memory: TextMemory | null = null;

  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: Connection };
    connection.attachListeners = (stream) => {
      const parser = new Parser();
      const { reader } = parser as unknown as { reader: Reader };
      const decode = reader.string.bind(reader);
      reader.string = (length) =>
        this.memory !== null && length >= MIN_BYTES ? this.memory.copy(reader.bytes(length)) : decode(length);
      stream.on('data', (bytes: Buffer) =>
        parser.parse(bytes, (message) =>
          connection.emit(message.name === 'error' ? 'errorMessage' : message.name, message),
        ),
      );
    };
  }

  /** Runs a statement whose result contains texts of 4 KiB and more as bytes. No other statement may run at the same time. */
  async queryBytes<Row extends object>(
    config: pg.QueryConfig,
    memory: TextMemory,
  ): Promise<pg.QueryResult<Row>> {
    this.memory = memory;
    try {
      return await this.query<Row>(config);
    } finally {
      this.memory = null;
    }
  }
}
