import { AbstractLogger, type LogLevel, type LogMessage } from 'typeorm';
import type { Logger } from '../logging/logger.ts';

/** Sends TypeORM's messages to the service's logger; by default it prints plain text between the JSON lines. */
export class MigrationLog extends AbstractLogger {
  constructor(private readonly logger: Logger) {
    super(['error', 'warn']);
  }

  protected override writeLog(level: LogLevel, messages: LogMessage | string | number | unknown[]): void {
    for (const { type, message } of this.prepareLogMessages(messages as LogMessage)) {
      const isWarning = level === 'error' || level === 'warn' || type === 'query-error';
      this.logger[isWarning ? 'warn' : 'debug'](String(message));
    }
  }
}
