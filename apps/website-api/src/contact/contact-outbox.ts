import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Runtime } from '@gpu-observatory/service-runtime';
import { Database } from '@gpu-observatory/service-runtime/process';
import { ContactMailer } from './contact-mailer.ts';
import { markDelivered, recordFailure, leaseNextRequest } from './outbox.queries.ts';

const POLL_INTERVAL_MS = 5_000;
/** Longer than the send timeout, so that no other replica sends the same mail concurrently. */
const LEASE_SECONDS = 60;
/** Time that shutdown waits for a mail in progress. A longer one is sent again after its lease expires. */
const SHUTDOWN_TIMEOUT_MS = 4_000;

/**
 * Mails undelivered contact requests one at a time, with at-least-once delivery. If the SMTP server accepts a mail but
 * marking its row fails, the mail is sent again with the same Message-ID, and mailboxes can drop the duplicate.
 */
@Injectable()
export class ContactOutbox implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private draining: Promise<void> | undefined;
  private wakeRequested = false;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly mailer: ContactMailer,
    private readonly runtime: Runtime,
  ) {}

  onApplicationBootstrap(): void {
    this.wake();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await Promise.race([this.draining, sleep(SHUTDOWN_TIMEOUT_MS, undefined, { ref: false })]);
    this.mailer.close();
  }

  /** Starts sending, or continues after the current mail if already running. */
  wake(): void {
    if (!this.mailer.isEnabled || this.stopped) return;
    this.wakeRequested = true;
    this.draining ??= this.drain().finally(() => {
      this.draining = undefined;
      if (this.wakeRequested) this.wake();
      else this.schedulePoll();
    });
  }

  private schedulePoll(): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.wake(), POLL_INTERVAL_MS);
    this.timer.unref();
  }

  private async drain(): Promise<void> {
    this.wakeRequested = false;
    try {
      while (!this.stopped && (await this.sendNext()));
    } catch (failure) {
      this.runtime.logger.warn({ err: failure }, 'contact outbox failed, retrying at the next poll');
    }
  }

  /** Sends the next due request; returns false if none is due. */
  private async sendNext(): Promise<boolean> {
    const request = await leaseNextRequest(this.database, LEASE_SECONDS);
    if (!request) return false;
    try {
      await this.mailer.send(request);
    } catch (failure) {
      this.runtime.logger.warn({ err: failure, contact_request: request.id }, 'contact request not mailed');
      await recordFailure(
        this.database,
        request.id,
        failure instanceof Error ? failure.message : String(failure),
      );
      return true;
    }
    await markDelivered(this.database, request.id);
    return true;
  }
}
