import type { Access } from '@gpu-observatory/domain-types';
import { measureTokenChecks } from '../../token-check.ts';
import type { Bench } from '../bench.ts';
import type { Comparison } from '../comparison.ts';

const TOKENS = 300;
const CHECKS = 30_000;
const ACCESS: Access = [{ customer_id: 1, workspace_ids: [101, 103] }];

/** The check that every request begins with: of a token that is remembered, beside verifying it each time. */
export async function tokenChecks({ issuer }: Bench): Promise<Comparison[]> {
  const tokens = await Promise.all(Array.from({ length: TOKENS }, () => issuer.token(ACCESS)));
  const [first, remembered] = await measureTokenChecks(tokens, issuer.url, CHECKS);
  if (first === undefined || remembered === undefined) throw new Error('no token was checked');
  return [
    {
      operation: 'token check, remembered',
      against: 'verifying it',
      ours: remembered.perSecond,
      theirs: first.perSecond,
      unit: 'per second',
      bar: { kind: 'speed', limit: 2 },
    },
    {
      operation: 'token check, remembered',
      against: 'by itself',
      ours: remembered.cpuMicroseconds / 1000,
      theirs: NaN,
      unit: 'ms',
      bar: { kind: 'time', limit: 0.01 },
    },
  ];
}
