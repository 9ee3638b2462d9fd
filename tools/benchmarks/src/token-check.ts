import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { Revocations, TokenVerifier } from '@gpu-observatory/token-verification';
import type { Cost } from './costs.ts';

/**
 * Measures the verification of tokens in this process, as the services do it on each request: uncached for each token,
 * then cached for the first one.
 *
 * @param tokens distinct access tokens
 * @param issuer URL of account-service, as in the tokens' `iss`
 * @param checks number of cached verifications
 */
export async function measureTokenChecks(tokens: string[], issuer: string, checks: number): Promise<Cost[]> {
  const response = await fetch(`${issuer}/.well-known/jwks.json`);
  const verifier = new TokenVerifier({
    issuer,
    audience: 'gpu-observatory',
    keys: createLocalJWKSet((await response.json()) as JSONWebKeySet),
    revocations: new Revocations(),
  });
  const [token = ''] = tokens;
  return [
    await costOf('token check, uncached', tokens, (each) => verifier.verify(each)),
    await costOf(
      'token check, cached',
      Array.from({ length: checks }, () => token),
      (each) => verifier.verify(each),
    ),
  ];
}

async function costOf(
  operation: string,
  tokens: string[],
  verify: (token: string) => Promise<unknown>,
): Promise<Cost> {
  const started = performance.now();
  const cpu = process.cpuUsage();
  for (const token of tokens) {
    if ((await verify(token)) === null) throw new Error(`${operation}: the service's own token was rejected`);
  }
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - started) / 1000;
  return {
    operation,
    perSecond: tokens.length / seconds,
    cpuMicroseconds: (user + system) / tokens.length,
  };
}
