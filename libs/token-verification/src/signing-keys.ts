import { DependencyUnavailable } from '@gpu-observatory/service-runtime/process';
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';

/** Interval of key reads. A new key is published two intervals before it signs. */
export const JWKS_REFRESH_SECONDS = 300;
/** Minimum interval of reads caused by an unknown `kid`, because any client can invent one. */
const UNKNOWN_KEY_COOLDOWN_SECONDS = 30;
const FETCH_TIMEOUT_MS = 2_000;
/** Retry interval until the first successful read. */
const FIRST_READ_RETRY_SECONDS = 1;

/** Public keys from account-service's `/.well-known/jwks.json` (docs/tokens.md#public-keys). */
export interface RemoteSigningKeys {
  keys: JWTVerifyGetKey;
  /** Reads the keys now and periodically. While account-service is unavailable, the known keys stay in use. */
  start(): void;
  stop(): void;
  /** Null after the first successful read: a readiness check. */
  readonly unavailableReason: string | null;
}

/**
 * @param now milliseconds since the epoch; for tests
 * @throws {DependencyUnavailable} from `keys`, only before the first successful read
 */
export function remoteSigningKeys(jwksUrl: string, now: () => number = Date.now): RemoteSigningKeys {
  const keySet = createRemoteJWKSet(new URL(jwksUrl), {
    // This file decides when to read: the library's cooldown does not apply after a failed read.
    cooldownDuration: Infinity,
    cacheMaxAge: Infinity,
    timeoutDuration: FETCH_TIMEOUT_MS,
  });
  const hasKeys = () => keySet.jwks() !== undefined;
  let lastReadMs = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const read = () => {
    lastReadMs = now();
    return keySet.reload();
  };
  const readPeriodically = async () => {
    await read().catch(() => undefined);
    if (stopped) return;
    const seconds = hasKeys() ? JWKS_REFRESH_SECONDS : FIRST_READ_RETRY_SECONDS;
    timer = setTimeout(() => void readPeriodically(), seconds * 1000);
    timer.unref();
  };

  return {
    keys: async (header, token) => {
      if (!hasKeys()) {
        const isDue = now() - lastReadMs >= FIRST_READ_RETRY_SECONDS * 1000;
        if (!isDue && !keySet.reloading) throw new DependencyUnavailable('the account service');
        await read().catch((error: unknown) => {
          throw new DependencyUnavailable('the account service', error);
        });
      }
      try {
        return await keySet(header, token);
      } catch (error) {
        const isDue = now() - lastReadMs >= UNKNOWN_KEY_COOLDOWN_SECONDS * 1000;
        if (!(error instanceof errors.JWKSNoMatchingKey) || !isDue) throw error;
        await read();
        return keySet(header, token);
      }
    },
    start: () => void readPeriodically(),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
    get unavailableReason() {
      return hasKeys() ? null : "the account service's signing keys have not been read yet";
    },
  };
}
