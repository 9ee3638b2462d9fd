import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HOUR_MS } from '@gpu-observatory/domain-types';
import { Runtime } from '@gpu-observatory/service-runtime';
import { Database } from '@gpu-observatory/service-runtime/process';
import { cleanUp } from './clean-up.ts';
import { SERVICE_RULES } from './clean-up-rules.ts';

/** Jittered, so that replicas that started together run at different times. */
const jitteredDelayMs = () => HOUR_MS * (0.5 + Math.random());

/** Deletes expired rows about once an hour. */
@Injectable()
export class CleanUpTimer implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly runtime: Runtime,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setTimeout(() => void this.run(), jitteredDelayMs());
    this.timer.unref();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  async run(): Promise<void> {
    try {
      const removed = await cleanUp(this.database, SERVICE_RULES);
      this.runtime.logger.info({ removed }, 'deleted expired rows');
    } catch (failure) {
      this.runtime.logger.warn({ err: failure }, 'deleting expired rows failed; the next run retries');
    }
    if (!this.stopped) this.timer?.refresh();
  }
}
