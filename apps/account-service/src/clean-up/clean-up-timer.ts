import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Database, Logger } from '@gpu-observatory/service-runtime';
import type { Clock } from '../clock/clock.ts';
import { cleanUp } from './clean-up.ts';
import { EXPIRED } from './leftovers.ts';

/** Replicas that started together take turns. */
const EVERY_MS = 3_600_000;
const jittered = () => EVERY_MS * (0.5 + Math.random());

/** Removes what has expired, about once an hour. */
@Injectable()
export class CleanUpTimer implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setTimeout(() => void this.run(), jittered());
    this.timer.unref();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  async run(): Promise<void> {
    try {
      const removed = await cleanUp(this.database, EXPIRED, this.clock.now());
      this.logger.info({ removed }, 'removed what has expired');
    } catch (failure) {
      this.logger.warn({ err: failure }, 'what has expired could not be removed; the next round will');
    }
    if (!this.stopped) this.timer?.refresh();
  }
}
