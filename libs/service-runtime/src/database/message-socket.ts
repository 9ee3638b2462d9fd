import { Socket } from 'node:net';

/**
 * A message starts with a type byte and a length, which counts itself but not the type byte
 * (https://www.postgresql.org/docs/current/protocol-overview.html).
 */
const TYPE_BYTES = 1;
const HEADER_BYTES = TYPE_BYTES + 4;
const DEFAULT_BUFFER_BYTES = 256 * 1024;
/** A longer read pauses the socket, so that other requests run before the rest of a large result is parsed. */
const PAUSE_BYTES = 64 * 1024;

/**
 * Creates an unencrypted socket for pg that reuses one read buffer and emits complete PostgreSQL messages only.
 *
 * A plain socket allocates a buffer per read, and pg's parser copies a message that spans two reads. V8 runs a full
 * garbage collection after every 64 MB of such memory, which was half the cost of a large result. Not for COPY, whose
 * readers keep the emitted buffers.
 */
export function messageSocket(): Socket {
  let memory = Buffer.allocUnsafeSlow(DEFAULT_BUFFER_BYTES);
  let filled = 0;
  const socket = new Socket({
    onread: {
      buffer: () => memory.subarray(filled),
      callback(bytesRead) {
        filled += bytesRead;
        const complete = completeMessagesLength(memory.subarray(0, filled));
        if (complete > 0) socket.emit('data', memory.subarray(0, complete));
        const rest = memory.subarray(complete, filled);
        const length = bufferLengthFor(rest.length, memory.length);
        if (length !== memory.length) memory = Buffer.allocUnsafeSlow(length);
        if (rest.buffer !== memory.buffer || complete > 0) rest.copy(memory);
        filled = rest.length;
        if (bytesRead < PAUSE_BYTES) return true;
        setImmediate(() => socket.resume());
        return false;
      },
    },
  });
  return socket;
}

/** Doubles a buffer that is full of one incomplete message; shrinks it when no data remains. */
function bufferLengthFor(rest: number, length: number): number {
  if (rest === 0) return DEFAULT_BUFFER_BYTES;
  return rest === length ? 2 * length : length;
}

function completeMessagesLength(bytes: Buffer): number {
  let complete = 0;
  while (complete + HEADER_BYTES <= bytes.length) {
    const end = complete + TYPE_BYTES + bytes.readUInt32BE(complete + TYPE_BYTES);
    if (end > bytes.length) break;
    complete = end;
  }
  return complete;
}
