import fastify from 'fastify';
import pg from 'pg';

/**
 * Standalone program: a hand-written Fastify route that runs one prepared statement in a pool of pg and returns its texts,
 * without authentication, validation, limits, logs or a data version. `PUT /statement` sets the statement.
 */
const { PORT = '', DATABASE_URL = '' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
let statement = { name: '0', text: '', values: [] as unknown[] };

const application = fastify();
application.put<{ Body: { text: string; values: unknown[] } }>('/statement', (request, reply) => {
  statement = { name: String(Number(statement.name) + 1), ...request.body };
  return reply.status(204).send();
});
application.get('/', async (_request, reply) => {
  const { rows } = await pool.query<Record<string, unknown>>(statement);
  const texts = rows.flatMap((row) => Object.values(row).filter((value) => typeof value === 'string'));
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(`{"items":[${texts.join(',')}]}`);
});
await application.listen({ host: '127.0.0.1', port: Number(PORT) });
process.on('SIGTERM', () => process.exit(0));
