import { OwnerDatabase } from '@gpu-observatory/service-runtime/process';
import type { Retention } from '../../src/config/retention.config.ts';
import { applyRetention } from '../../src/operations/retention/apply-retention.ts';
import { rowsOf } from './fleet-tables.ts';

export const KEPT: Retention = {
  alerts: '2 months',
  events: '2 months',
  rollups: '2 months',
  samples: '7 days',
};

export async function retain(
  ownerUrl: string,
  retention = KEPT,
  { dryRun = false, lockTimeoutSeconds = 5 }: { dryRun?: boolean; lockTimeoutSeconds?: number } = {},
) {
  const owner = new OwnerDatabase(ownerUrl, { schema: 'fleet', lockTimeoutSeconds });
  try {
    return await applyRetention(owner, retention, { dryRun });
  } finally {
    await owner.close();
  }
}

/** Start of the first month that `KEPT` keeps. */
export async function keptSince(ownerUrl: string): Promise<Date> {
  const [row] = await rowsOf<{ since: Date }>(
    ownerUrl,
    "SELECT date_trunc('month', now() - interval '2 months' - interval '1 hour', 'UTC') AS since",
  );
  return (row as { since: Date }).since;
}
