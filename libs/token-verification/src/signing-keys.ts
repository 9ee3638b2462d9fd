import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';

/** How often keys are read anew without a cause. A new key is published two of these before it signs. */
export const JWKS_REFRESH_SECONDS = 300;
/** An unknown `kid` makes the keys be read again, but no more often than this: anyone can invent a `kid`. */
const UNKNOWN_KEY_COOLDOWN_SECONDS = 30;
const FETCH_TIMEOUT_MS = 2_000;
/** Until the keys were heard for the first time. */
const FIRST_HEARING_RETRY_SECONDS = 1;

/** The public keys of the account service's `/.well-known/jwks.json`. */
export interface RemoteSigningKeys {
  keys: JWTVerifyGetKey;
  /** Reads them now and from time to time. When the account service is away it goes on with what it has. */
  start(): void;
  stop(): void;
  /** Null once the keys were heard, else what is wrong: a readiness check. */
  readonly unavailableReason: string | null;
}

/**
 * @param now milliseconds since the epoch; for tests
 * @throws {DependencyUnavailable} from `keys` only while no keys were ever heard
 */
export function remoteSigningKeys(jwksUrl: string, now: () => number = Date.now): RemoteSigningKeys {
  const keySet = createRemoteJWKSet(new URL(jwksUrl), {
    // When to read again is decided here: the library forgets its pause when a reading fails.
    cooldownDuration: Infinity,
    cacheMaxAge: Infinity,
    timeoutDuration: FETCH_TIMEOUT_MS,
  });
  const wasHeard = () => keySet.jwks() !== undefined;
  let askedAtMs = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const read = () => {
    askedAtMs = now();
    return keySet.reload();
  };
  const readFromTimeToTime = async () => {
    await read().catch(() => undefined);
    if (stopped) return;
    const seconds = wasHeard() ? JWKS_REFRESH_SECONDS : FIRST_HEARING_RETRY_SECONDS;
    timer = setTimeout(() => void readFromTimeToTime(), seconds * 1000);
    timer.unref();
  };

  return {
    keys: async (header, token) => {
      if (!wasHeard()) {
        const isDue = now() - askedAtMs >= FIRST_HEARING_RETRY_SECONDS * 1000;
        if (!isDue && !keySet.reloading) throw new DependencyUnavailable('the account service');
        await read().catch((failure: unknown) => {
          throw new DependencyUnavailable('the account service', failure);
        });
      }
      try {
        return await keySet(header, token);
      } catch (failure) {
        const isDue = now() - askedAtMs >= UNKNOWN_KEY_COOLDOWN_SECONDS * 1000;
        if (!(failure instanceof errors.JWKSNoMatchingKey) || !isDue) throw failure;
        await read();
        return keySet(header, token);
      }
    },
    start: () => void readFromTimeToTime(),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
    get unavailableReason() {
      return wasHeard() ? null : "the account service's signing keys were never heard";
    },
  };
}
