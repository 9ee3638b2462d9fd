import fastify, { type FastifyInstance } from 'fastify';
import type { Readiness } from '../health/readiness.ts';
import type { Metrics } from '../metrics/metrics.ts';

/**
 * The management port: `/livez` (the process runs), `/readyz` (503 while the database does not answer or the service
 * drains; each check by name) and `/metrics` (Prometheus text). Never on the ingress.
 */
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
