import fastify, { type FastifyInstance } from 'fastify';
import type { Readiness } from '../health/readiness.ts';
import type { Metrics } from '../metrics/metrics.ts';

/** Creates the server of the management port: `/livez`, `/readyz` and `/metrics` (docs/services.md#ports). */
export function createManagementServer(readiness: Readiness, metrics: Metrics): FastifyInstance {
  const server = fastify({ forceCloseConnections: true });
  server.get('/livez', async () => ({ alive: true }));
  server.get('/readyz', async (_request, reply) => {
    const report = readiness.report();
    return reply.status(report.ready ? 200 : 503).send(report);
  });
  server.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  return server;
}
