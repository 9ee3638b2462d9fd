import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';

/** How often keys are read anew without a cause. A new key is published two of these before it signs. */
export const KEY_REFRESH_SECONDS = 300;
/** An unknown `kid` makes the keys be read again, but no more often than this: anyone can invent a `kid`. */
const UNKNOWN_KEY_COOLDOWN_SECONDS = 30;
const FETCH_TIMEOUT_MS = 2_000;

/** The public keys of the account service's `/.well-known/jwks.json`. */
export interface RemoteSigningKeys {
  keys: JWTVerifyGetKey;
  /** Reads them now and from time to time. When the account service is away it goes on with what it has. */
  start(): void;
  stop(): void;
}

/** @throws {DependencyUnavailable} from `keys` only while no keys were ever read */
export function remoteSigningKeys(jwksUrl: string): RemoteSigningKeys {
  const keySet = createRemoteJWKSet(new URL(jwksUrl), {
    cooldownDuration: UNKNOWN_KEY_COOLDOWN_SECONDS * 1000,
    timeoutDuration: FETCH_TIMEOUT_MS,
    // Never stale by itself: an outage of the account service must not refuse tokens whose keys we know.
    cacheMaxAge: Infinity,
  });
  let timer: NodeJS.Timeout | undefined;
  const reload = () => void keySet.reload().catch(() => undefined);
  return {
    keys: async (header, token) => {
      try {
        return await keySet(header, token);
      } catch (failure) {
        if (keySet.jwks() === undefined) throw new DependencyUnavailable('the account service', failure);
        throw failure;
      }
    },
    start: () => {
      reload();
      timer = setInterval(reload, KEY_REFRESH_SECONDS * 1000);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}
