import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { Database, Logger } from '@gpu-observatory/service-runtime';
import type { ContactMailer } from './contact-mailer.ts';
import { noteDelivery, noteFailure, takeNextRequest } from './outbox.queries.ts';

const LOOK_EVERY_MS = 5_000;
/** Longer than a mail may take to send, so that nobody else begins meanwhile. */
const LEASE_SECONDS = 60;
/** A mail under way may end when the service does; one that takes longer is due again after its lease. */
const END_WITHIN_MS = 4_000;

/**
 * Mails what is stored and not yet delivered, one after the other. A mail that the server took and whose row could not
 * be marked any more is sent again under the same Message-ID, by which mailboxes know it for the same one: SMTP has no
 * way to do both at once, and a lost request would be worse.
 */
export class ContactOutbox implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;
  private nudged = false;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly mailer: ContactMailer | undefined,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.nudge();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await Promise.race([this.working, patience()]);
    this.mailer?.close();
  }

  /** There may be something to send. */
  nudge(): void {
    if (!this.mailer || this.stopped) return;
    this.nudged = true;
    this.working ??= this.work(this.mailer).finally(() => {
      this.working = undefined;
      if (this.nudged) this.nudge();
      else this.lookAgainLater();
    });
  }

  private lookAgainLater(): void {
    if (this.stopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.nudge(), LOOK_EVERY_MS);
    this.timer.unref();
  }

  private async work(mailer: ContactMailer): Promise<void> {
    this.nudged = false;
    try {
      while (!this.stopped && (await this.sendNext(mailer)));
    } catch (failure) {
      this.logger.warn({ err: failure }, 'the outbox of contact requests has to wait');
    }
  }

  /** Whether there was one to send. */
  private async sendNext(mailer: ContactMailer): Promise<boolean> {
    const request = await takeNextRequest(this.database, LEASE_SECONDS);
    if (!request) return false;
    try {
      await mailer.send(request);
    } catch (failure) {
      this.logger.warn({ err: failure, contact_request: request.id }, 'a contact request was not mailed');
      await noteFailure(
        this.database,
        request.id,
        failure instanceof Error ? failure.message : String(failure),
      );
      return true;
    }
    await noteDelivery(this.database, request.id);
    return true;
  }
}

function patience(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, END_WITHIN_MS).unref();
  });
}
