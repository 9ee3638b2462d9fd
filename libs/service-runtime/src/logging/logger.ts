import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Where secrets could stand in a line, however deep the request or the body that somebody logs. */
const SECRETS = [
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'password',
  'refresh_token',
  'access_token',
  'code',
  'key',
];
const SECRET_PATHS = ['headers', 'req.headers', 'res.headers', 'body', 'query'].flatMap((place) =>
  SECRETS.map((name) => `${place}["${name}"]`),
);

/** JSON lines on standard output, with the service's name and without secrets. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: [...SECRETS.map((name) => `["${name}"]`), ...SECRET_PATHS], censor: '[redacted]' },
  });
}

/** Hands Nest's own lines to the same logger; its start-up chatter only at debug level. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...context: unknown[]): void {
    this.logger.debug({ context }, String(message));
  }
  warn(message: unknown, ...context: unknown[]): void {
    this.logger.warn({ context }, String(message));
  }
  error(message: unknown, ...context: unknown[]): void {
    this.logger.error({ context }, String(message));
  }
  fatal(message: unknown, ...context: unknown[]): void {
    this.logger.fatal({ context }, String(message));
  }
  debug(message: unknown, ...context: unknown[]): void {
    this.logger.debug({ context }, String(message));
  }
  verbose(message: unknown, ...context: unknown[]): void {
    this.logger.trace({ context }, String(message));
  }
}
