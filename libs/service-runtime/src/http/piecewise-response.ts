import { ServerResponse } from 'node:http';

/** Small enough to write in well under a millisecond, large enough that a page of 5 MB takes few system calls. */
const PIECE_BYTES = 512 * 1024;

/**
 * A response that writes a long body in pieces: it waits for the client (backpressure), and other requests run between
 * two pieces. One write of the whole body blocks the event loop while it is copied, and hides whether a client reads.
 */
export class PiecewiseResponse extends ServerResponse {
  override end(...args: unknown[]): this {
    const [body] = args;
    if (!Buffer.isBuffer(body) || body.length <= PIECE_BYTES || this.req.method === 'HEAD') {
      return super.end(...(args as [unknown, BufferEncoding]));
    }
    if (!this.headersSent && !this.hasHeader('content-length')) {
      this.setHeader('content-length', body.length);
    }
    this.writePieces(body, 0);
    return this;
  }

  /** The rest is dropped when the connection closes: Content-Length shows the client that the body is incomplete. */
  private writePieces(body: Buffer, start: number): void {
    if (this.destroyed) return;
    const end = start + PIECE_BYTES;
    const piece = body.subarray(start, end);
    if (end >= body.length) {
      super.end(piece);
      return;
    }
    const writeNext = () => setImmediate(() => this.writePieces(body, end));
    if (this.write(piece)) writeNext();
    else this.once('drain', writeNext);
  }
}
