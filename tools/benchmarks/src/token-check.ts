import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { Revocations, TokenVerifier } from '@gpu-observatory/token-verification';
import type { Cost } from './costs.ts';

/**
 * What the check of a token costs by itself, in this process, as every service does it on each request: of tokens that
 * come for the first time, and of one that is remembered.
 *
 * @param tokens access tokens, each of them another
 * @param issuer account-service, as its tokens name it
 * @param checks how often the remembered one is checked
 */
export async function measureTokenChecks(tokens: string[], issuer: string, checks: number): Promise<Cost[]> {
  const published = await fetch(`${issuer}/.well-known/jwks.json`);
  const verifier = new TokenVerifier({
    issuer,
    audience: 'gpu-observatory',
    keys: createLocalJWKSet((await published.json()) as JSONWebKeySet),
    revocations: new Revocations(),
  });
  const [token = ''] = tokens;
  return [
    await costOf('token check, for the first time', tokens, (each) => verifier.verify(each)),
    await costOf(
      'token check, remembered',
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
  const begin = performance.now();
  const cpu = process.cpuUsage();
  for (const token of tokens) {
    if ((await verify(token)) === null) throw new Error(`${operation}: a token of the service was refused`);
  }
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (performance.now() - begin) / 1000;
  return {
    operation,
    perSecond: tokens.length / seconds,
    cpuMicroseconds: (user + system) / tokens.length,
  };
}
