import { types } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { type Logger, type LoggerOptions, pino } from 'pino';
import { redact, redactError, redactText } from './redaction.ts';

export type { Logger } from 'pino';

/** Options for JSON log lines with the service's name. Secrets are redacted in nested objects and inside of texts. */
export function loggerOptions(service: string, level: string): LoggerOptions {
  return {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }), log: redact },
    serializers: { err: serializeError },
    hooks: { streamWrite: redactText },
  };
}

/** Creates a logger that writes to standard output. */
export function createLogger(service: string, level: string): Logger {
  return pino(loggerOptions(service, level));
}

function serializeError(error: unknown): unknown {
  return types.isNativeError(error)
    ? redactError(pino.stdSerializers.err(error) as unknown as Record<string, unknown>)
    : error;
}

/** Returns a logger that sends Nest's log lines to the service's logger; informational ones at debug level. */
export function nestLogger(logger: Logger): LoggerService {
  const at =
    (level: 'trace' | 'debug' | 'warn' | 'error' | 'fatal') =>
    (message: unknown, ...context: unknown[]) =>
      logger[level]({ context }, String(message));
  return {
    verbose: at('trace'),
    debug: at('debug'),
    log: at('debug'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
  };
}
