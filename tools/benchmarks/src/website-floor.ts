import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import type { FixedAnswer } from './website-answers.ts';

/**
 * Plain Fastify that serves the answers of a file from memory, header for header, and 304 to whoever
 * has them. A program of its own, which says at `/cpu` what its process used.
 */
const { PORT = '', ANSWERS = '' } = process.env;
const answers = JSON.parse(readFileSync(ANSWERS, 'utf8')) as FixedAnswer[];

const server = fastify();
for (const { path, etag, headers, body } of answers) {
  const bytes = Buffer.from(body, 'base64');
  const { 'content-type': _type, 'content-encoding': _coding, ...headersOf304 } = headers;
  server.get(path, (request, reply) => {
    if (request.headers['if-none-match'] === etag) return reply.status(304).headers(headersOf304).send();
    return reply.headers(headers).send(bytes);
  });
}
server.get('/cpu', () => {
  const { user, system } = process.cpuUsage();
  return { seconds: (user + system) / 1e6 };
});
await server.listen({ host: '127.0.0.1', port: Number(PORT) });
process.on('SIGTERM', () => process.exit(0));
