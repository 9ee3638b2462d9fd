import { AbstractLogger, type LogLevel, type LogMessage } from 'typeorm';
import type { Logger } from '../logging/logger.ts';

/** Hands what TypeORM says while it migrates to our logger; by itself it prints plain lines among the JSON. */
export class MigrationLog extends AbstractLogger {
  constructor(private readonly logger: Logger) {
    super(['error', 'warn']);
  }

  protected override writeLog(level: LogLevel, messages: LogMessage | string | number | unknown[]): void {
    for (const { type, message } of this.prepareLogMessages(messages as LogMessage)) {
      const isTrouble = level === 'error' || level === 'warn' || type === 'query-error';
      this.logger[isTrouble ? 'warn' : 'debug'](String(message));
    }
  }
}
