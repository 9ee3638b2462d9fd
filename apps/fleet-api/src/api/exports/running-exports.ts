import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Runtime } from '@gpu-observatory/service-runtime';
import { DomainError, fleetErrors } from '@gpu-observatory/service-runtime/process';

const RETRY_AFTER_SECONDS = 5;

/** Limits each customer to one export at a time. */
@Injectable()
export class RunningExports {
  /** Customers with a running export. */
  private readonly customerIds = new Set<number>();
  private count = 0;
  private readonly countRejected: () => void;

  constructor({ metrics }: Runtime) {
    this.countRejected = metrics.counter(
      'exports_rejected_total',
      'Exports rejected because another export of the customer was running.',
    );
    metrics.gauge('exports_running', 'Exports that are being sent.', () => this.count);
  }

  /**
   * Counts an export until its response has been sent or its connection has closed. An export over several customers counts for
   * each of them.
   *
   * @throws {DomainError} `too_many_requests` while another export of a customer runs
   */
  start(customerIds: readonly number[], response: ServerResponse): void {
    if (customerIds.some((id) => this.customerIds.has(id))) {
      this.countRejected();
      throw new DomainError(
        fleetErrors.tooManyRequests,
        `Another export of your organization is running; retry after ${RETRY_AFTER_SECONDS} s.`,
        { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
      );
    }
    // Without a `close` event, the export would count forever.
    if (response.closed) return;
    this.count += 1;
    for (const id of customerIds) this.customerIds.add(id);
    response.once('close', () => {
      this.count -= 1;
      for (const id of customerIds) this.customerIds.delete(id);
    });
  }
}
