import { Socket } from 'node:net';

/** A letter that says what a message is, and its length, which counts itself but not the letter. */
const LETTER_BYTES = 1;
const HEADER_BYTES = LETTER_BYTES + 4;
const USUAL_BYTES = 256 * 1024;

/**
 * A socket for pg that is not encrypted. It reads into the same memory again and again and hands on whole messages of
 * PostgreSQL only. An ordinary one takes new memory for each reading, and pg's parser more of it where a message goes on
 * in the next one; V8 looks through its whole heap after every 64 MB of such memory, which was half of what a large
 * answer cost. Not for COPY: whoever reads that keeps what was handed on.
 */
export function messageSocket(): Socket {
  let memory = Buffer.allocUnsafeSlow(USUAL_BYTES);
  let filled = 0;
  const socket = new Socket({
    onread: {
      buffer: () => memory.subarray(filled),
      callback(bytesRead) {
        filled += bytesRead;
        const whole = bytesOfWholeMessages(memory.subarray(0, filled));
        if (whole > 0) socket.emit('data', memory.subarray(0, whole));
        const rest = memory.subarray(whole, filled);
        const length = lengthFor(rest.length, memory.length);
        if (length !== memory.length) memory = Buffer.allocUnsafeSlow(length);
        if (rest.buffer !== memory.buffer || whole > 0) rest.copy(memory);
        filled = rest.length;
        return true;
      },
    },
  });
  return socket;
}

/** Memory that is full of one message is doubled, until all has been handed on. */
function lengthFor(rest: number, length: number): number {
  if (rest === 0) return USUAL_BYTES;
  return rest === length ? 2 * length : length;
}

function bytesOfWholeMessages(bytes: Buffer): number {
  let whole = 0;
  while (whole + HEADER_BYTES <= bytes.length) {
    const end = whole + LETTER_BYTES + bytes.readUInt32BE(whole + LETTER_BYTES);
    if (end > bytes.length) break;
    whole = end;
  }
  return whole;
}
