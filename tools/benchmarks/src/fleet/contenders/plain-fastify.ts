import fastify from 'fastify';
import pg from 'pg';

/** The floor where pgbench is missing: one statement, prepared, its rows as JSON. A program of its own. */
const { URL: url = '', DATABASE_URL: connectionString = '', SQL: text = '', VALUES = '[]' } = process.env;
const values = JSON.parse(VALUES) as unknown[];
const pool = new pg.Pool({ connectionString, max: 10 });
const application = fastify();
application.get('/', async () => (await pool.query({ name: 'floor', text, values })).rows as unknown[]);
await application.listen({ host: '127.0.0.1', port: Number(new URL(url).port) });
process.on('SIGTERM', () => process.exit(0));
