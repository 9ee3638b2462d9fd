import type { ServerResponse } from 'node:http';
import type { Metrics } from '../metrics/metrics.ts';

/** Shorter bodies are not counted: a connection has at most one of them (see `serveInOrder`). */
const MIN_COUNTED_BYTES = 16 * 1024;
/** Memory of a streamed response until its client has read it. */
const STREAM_BYTES = 4 * 1024 * 1024;

export interface WriteBufferLimits {
  /** Of the process, in bytes. */
  total: number;
  /** Of one owner, such as a customer, in bytes. */
  perOwner: number;
}

/**
 * Counts the bytes of response bodies until they are sent, and limits them per owner and per process: a client that does
 * not read keeps its response in memory. A body that several responses share, such as a cached one, counts once.
 * An owner without other bytes may exceed its limit with one body.
 */
export class WriteBuffer {
  private readonly pending = new Map<
    object,
    { responses: number; bytes: number; owners: readonly unknown[] }
  >();
  private readonly bytesByOwner = new Map<unknown, number>();
  private totalBytes = 0;

  /** @param onCut called for each response that is cut because its client does not read */
  constructor(
    private readonly limits: WriteBufferLimits,
    readonly onCut: () => void = () => undefined,
  ) {}

  static withMetrics(limits: WriteBufferLimits, metrics: Metrics): WriteBuffer {
    const buffer = new WriteBuffer(
      limits,
      metrics.counter('responses_cut_total', 'Responses cut because the client did not read.'),
    );
    metrics.gauge(
      'response_bytes_pending',
      'Bytes of response bodies that are not sent completely.',
      () => buffer.totalBytes,
    );
    return buffer;
  }

  /** Whether a body of this length is within the limits. */
  hasRoom(owners: readonly unknown[], bytes: number): boolean {
    const fits = (pending: number, limit: number) => pending === 0 || pending + bytes <= limit;
    return (
      fits(this.totalBytes, this.limits.total) &&
      owners.every((owner) => fits(this.bytesByOwner.get(owner) ?? 0, this.limits.perOwner))
    );
  }

  /**
   * Counts a body until the response has been sent or its connection has closed.
   *
   * @returns false when the body exceeds a limit and must not be sent
   */
  reserve(response: ServerResponse, body: object, owners: readonly unknown[]): boolean {
    const bytes = Buffer.isBuffer(body) ? body.length : STREAM_BYTES;
    if (bytes < MIN_COUNTED_BYTES || response.destroyed) return true;
    const shared = this.pending.get(body);
    if (shared) shared.responses += 1;
    else {
      if (!this.hasRoom(owners, bytes)) return false;
      this.count(owners, bytes);
      this.pending.set(body, { responses: 1, bytes, owners });
    }
    response.once('close', () => this.release(body));
    return true;
  }

  private release(body: object): void {
    const entry = this.pending.get(body);
    if (entry === undefined || --entry.responses > 0) return;
    this.pending.delete(body);
    this.count(entry.owners, -entry.bytes);
  }

  private count(owners: readonly unknown[], bytes: number): void {
    this.totalBytes += bytes;
    for (const owner of owners) {
      const pending = (this.bytesByOwner.get(owner) ?? 0) + bytes;
      if (pending > 0) this.bytesByOwner.set(owner, pending);
      else this.bytesByOwner.delete(owner);
    }
  }
}
