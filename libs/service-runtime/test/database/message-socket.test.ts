import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as afterThisTurn } from 'node:timers/promises';
import { messageSocket } from '../../src/database/message-socket.ts';

const KIB = 1024;

/** Returns a PostgreSQL message of this content length; each byte encodes its position. */
function message(bytes: number): Buffer {
  const made = Buffer.alloc(5 + bytes);
  made.write('D');
  made.writeUInt32BE(4 + bytes, 1);
  for (let at = 0; at < bytes; at++) made[5 + at] = (bytes + at) % 251;
  return made;
}

/** Returns what the socket emits for these bytes, sent in pieces of this length. */
async function handedOn(sent: Buffer, pieceBytes: number): Promise<Buffer[]> {
  const server = createServer(async (connection) => {
    connection.setNoDelay(true);
    for (let at = 0; at < sent.length; at += pieceBytes) {
      if (!connection.write(sent.subarray(at, at + pieceBytes))) await once(connection, 'drain');
      await afterThisTurn();
    }
    connection.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = messageSocket();
  const chunks: Buffer[] = [];
  // Copies, because the socket reuses its buffer.
  socket.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'close');
  server.close();
  return chunks;
}

function messagesOf(chunk: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (let at = 0; at < chunk.length;) {
    const end = at + 1 + chunk.readUInt32BE(at + 1);
    messages.push(chunk.subarray(at, end));
    at = end;
  }
  return messages;
}

describe.each([
  ['small', [0, 1, 2, 3, 0, 0, 40, 7], [1, 2, 3, 5, 6, 11, 1000]],
  ['about as long as the buffer', [-6, -5, -4, 0, 1].map((n) => 256 * KIB + n), [4 * KIB, 64 * KIB + 1]],
  ['one long, others small', [3, 3000 * KIB, 3, 700 * KIB, 0, 9], [100_001, 10_000_000]],
])('messages: %s', (_name, lengths, pieces) => {
  const sent = lengths.map(message);
  const all = Buffer.concat(sent);

  test.each(pieces)('emits complete messages in order for pieces of %i bytes', async (pieceBytes) => {
    const messages = (await handedOn(all, pieceBytes)).flatMap(messagesOf);
    expect(messages.map(({ length }) => length)).toEqual(sent.map(({ length }) => length));
    expect(Buffer.concat(messages).equals(all)).toBe(true);
  });
});

test('does not emit an incomplete message at the end of the connection', async () => {
  const chunks = await handedOn(Buffer.concat([message(10), message(20).subarray(0, 24)]), 1000);
  expect(Buffer.concat(chunks).equals(message(10))).toBe(true);
});
