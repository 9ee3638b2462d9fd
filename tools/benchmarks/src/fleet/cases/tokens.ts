import type { Access } from '@gpu-observatory/domain-types';
import { measureTokenChecks } from '../../token-check.ts';
import type { Bench } from '../bench.ts';
import { type Comparison, compare } from '../../comparison.ts';

const TOKENS = 300;
const CHECKS = 30_000;
const ACCESS: Access = [{ customer_id: 1, workspace_ids: [101, 103] }];

/** Compares the cached verification of a token with the uncached one. */
export async function tokenChecks({ issuer }: Bench): Promise<Comparison[]> {
  const tokens = await Promise.all(Array.from({ length: TOKENS }, () => issuer.token(ACCESS)));
  const [uncached, cached] = await measureTokenChecks(tokens, issuer.url, CHECKS);
  if (uncached === undefined || cached === undefined) throw new Error('no token was verified');
  const operation = 'token check, cached';
  return [
    compare(operation, [cached.perSecond, uncached.perSecond], 'per second', 'token check, uncached', {
      speed: 2,
    }),
    compare(operation, [cached.cpuMicroseconds / 1000, NaN], 'ms', 'absolute', { time: 0.01 }),
  ];
}
