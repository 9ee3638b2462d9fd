import fastify from 'fastify';
import { cachedTokens } from './cached-tokens.ts';

/** Standalone program: a route that verifies its token, cached by SHA-256, and returns an empty 304. */
const { PORT = '', JWKS_URL = '', TOKEN_ISSUER = '' } = process.env;
const verify = cachedTokens(JWKS_URL, TOKEN_ISSUER);

const application = fastify();
application.get('/', async (request, reply) => {
  const claims = await verify(request.headers.authorization);
  return reply.status(claims === null ? 401 : 304).send();
});
await application.listen({ host: '127.0.0.1', port: Number(PORT) });
process.on('SIGTERM', () => process.exit(0));
