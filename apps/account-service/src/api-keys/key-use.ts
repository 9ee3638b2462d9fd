import type { Database } from '@gpu-observatory/service-runtime/process';

/** SQL of whether a row of `api_keys` is neither disabled nor expired. Its customer must be active too. */
export const IS_USABLE = '(api_keys.active AND coalesce(api_keys.expires_at > clock_timestamp(), true))';

/** Resolution of `last_used_at`, so that a busy agent does not cost a write per check. */
const LAST_USED_RESOLUTION_SECONDS = 60;

/** SQL of whether a row of `api_keys` needs no `recordKeyUse`, as `used_recently`. */
export const USED_RECENTLY_COLUMN = `
  coalesce(api_keys.last_used_at > clock_timestamp() - make_interval(secs => ${LAST_USED_RESOLUTION_SECONDS}), false)
    AS used_recently`;

/** Updates `last_used_at`. The condition lets only one of several concurrent replicas write. */
export async function recordKeyUse(database: Database, keyId: number): Promise<void> {
  await database.query({
    name: 'record-key-use',
    text: `UPDATE account.api_keys SET last_used_at = clock_timestamp()
            WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= clock_timestamp() - make_interval(secs => $2))`,
    values: [keyId, LAST_USED_RESOLUTION_SECONDS],
  });
}
