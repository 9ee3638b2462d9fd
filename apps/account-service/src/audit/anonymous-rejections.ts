import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HOUR_MS } from '@gpu-observatory/domain-types';
import { Runtime } from '@gpu-observatory/service-runtime';
import { Database } from '@gpu-observatory/service-runtime/process';
import { audit, type AuditEvent, type Origin } from './audit.ts';

const WINDOW_MS = HOUR_MS;
/** Rows per window, for one action, reason and user. */
const ROWS_PER_WINDOW = 100;

type Rejection = Pick<AuditEvent, 'action' | 'customerId' | 'userId' | 'detail'>;

interface Window {
  count: number;
  /** First rejection without a row. */
  unrecorded: Rejection | null;
}

/**
 * Audits rejections that any anonymous client can cause. Within an hour each kind (action, reason, user) gets at most 100 rows
 * per replica; one more row has the number of the others. So a flood cannot fill the audit, which is kept for more than a year
 * (`docs/operating-accounts.md#the-audit`).
 */
@Injectable()
export class AnonymousRejections implements OnApplicationBootstrap, OnModuleDestroy {
  private windows = new Map<string, Window>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly runtime: Runtime,
  ) {}

  async record(rejection: Rejection, origin: Origin): Promise<void> {
    const key = JSON.stringify([rejection.action, rejection.detail?.reason, rejection.userId]);
    const window = this.windows.get(key) ?? { count: 0, unrecorded: null };
    this.windows.set(key, window);
    window.count += 1;
    if (window.count > ROWS_PER_WINDOW) window.unrecorded ??= rejection;
    else await audit(this.database, { ...rejection, actor: 'anonymous' }, origin);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.endWindow(), WINDOW_MS);
    this.timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.endWindow();
  }

  /** Writes the numbers of rejections without a row. */
  async endWindow(): Promise<void> {
    const ended = this.windows;
    this.windows = new Map();
    for (const { count, unrecorded } of ended.values()) {
      if (unrecorded === null) continue;
      const { action, userId, detail: { reason } = {} } = unrecorded;
      const detail = { ...(reason !== undefined && { reason }), unrecorded: count - ROWS_PER_WINDOW };
      try {
        // Without `customerId`: the rejections of a kind can belong to several customers.
        await audit(this.database, { action, userId, actor: 'anonymous', detail });
      } catch (failure) {
        this.runtime.logger.error({ err: failure, action, ...detail }, 'auditing rejections failed');
      }
    }
  }
}
