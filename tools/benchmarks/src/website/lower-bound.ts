import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import type { RecordedResponse } from './servers.ts';

/**
 * Standalone program: plain Fastify that serves recorded responses from memory with the same headers, and 304 for a
 * current ETag. `/metrics` has the CPU time of the process, as in a service.
 */
const { PORT = '', RESPONSES = '' } = process.env;
const responses = JSON.parse(readFileSync(RESPONSES, 'utf8')) as RecordedResponse[];

const server = fastify();
for (const { path, etag, headers, body } of responses) {
  const bytes = Buffer.from(body, 'base64');
  const { 'content-type': _type, 'content-encoding': _encoding, ...notModifiedHeaders } = headers;
  server.get(path, (request, reply) => {
    if (request.headers['if-none-match'] === etag)
      return reply.status(304).headers(notModifiedHeaders).send();
    return reply.headers(headers).send(bytes);
  });
}
server.get('/metrics', () => {
  const { user, system } = process.cpuUsage();
  return `process_cpu_seconds_total ${(user + system) / 1e6}\n`;
});
await server.listen({ host: '127.0.0.1', port: Number(PORT) });
process.on('SIGTERM', () => process.exit(0));
