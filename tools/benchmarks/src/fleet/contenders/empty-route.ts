import { createHash } from 'node:crypto';
import fastify from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';

/** Standalone program: a route that verifies its token, cached by SHA-256, and returns an empty 304. */
const { PORT = '', JWKS_URL = '', TOKEN_ISSUER: issuer = '' } = process.env;
const keys = createRemoteJWKSet(new URL(JWKS_URL));
const verified = new Map<string, number>();

const application = fastify();
application.get('/', async (request, reply) => {
  const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
  const digest = createHash('sha256').update(token).digest('base64');
  let expires = verified.get(digest);
  if (expires === undefined) {
    const result = await jwtVerify(token, keys, { issuer }).catch(() => null);
    expires = result?.payload.exp ?? 0;
    verified.set(digest, expires);
  }
  return reply.status(expires * 1000 > Date.now() ? 304 : 401).send();
});
await application.listen({ host: '127.0.0.1', port: Number(PORT) });
process.on('SIGTERM', () => process.exit(0));
