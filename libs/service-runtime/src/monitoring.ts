// What a process with a management port uses: health, logs, metrics and shutdown. It loads Fastify, pino and prom-client, but no Nest.

export { Readiness } from './health/readiness.ts';
export { createManagementServer } from './http/management-server.ts';
export { createLogger, type Logger } from './logging/logger.ts';
export { Metrics } from './metrics/metrics.ts';
export { shutDownGracefully } from './shutdown/shutdown.ts';
