import fastify from 'fastify';
import pg from 'pg';

/**
 * Standalone program: the least code that sends the same rows, one prepared statement and one JSON text per request, for customer
 * 1. It has no authentication, validation, limits, totals, entity tags or logs.
 */
const { PORT = '', DATABASE_URL = '' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const application = fastify();

application.get<{ Querystring: { page_size: string } }>('/alerts', async ({ query }, reply) => {
  const { rows } = await pool.query<{ doc: string }>({
    name: 'page',
    text: 'SELECT doc FROM fleet.alerts WHERE customer_id = 1 ORDER BY created_at DESC, id LIMIT $1',
    values: [query.page_size],
  });
  return reply.type('application/json').send(`{"alerts":[${rows.map(({ doc }) => doc).join(',')}]}`);
});

application.get<{ Params: { id: string } }>('/alerts/:id', async ({ params }, reply) => {
  const { rows } = await pool.query<{ doc: string; resource_details: string }>({
    name: 'detail',
    text: `SELECT a.doc, d.resource_details FROM fleet.alerts a
      JOIN fleet.alert_details d ON d.customer_id = 1 AND d.alert_id = a.id AND d.created_at = a.created_at
      WHERE a.customer_id = 1 AND a.id = $1`,
    values: [params.id],
  });
  const [alert] = rows;
  return reply
    .type('application/json')
    .send(`{"alert":${alert?.doc.slice(0, -1)},"resource_details":${alert?.resource_details}}}`);
});

application.get<{ Params: { id: string } }>('/alerts/:id/timeline', async ({ params }, reply) => {
  const { rows } = await pool.query<{ doc: string }>({
    name: 'timeline',
    text: 'SELECT doc FROM fleet.alert_timeline_events WHERE customer_id = 1 AND alert_id = $1 ORDER BY ts, digest',
    values: [params.id],
  });
  return reply.type('application/json').send(`{"timeline_events":[${rows.map(({ doc }) => doc).join(',')}]}`);
});

await application.listen({ host: '127.0.0.1', port: Number(PORT) });
process.on('SIGTERM', () => process.exit(0));
