import { hash } from 'node:crypto';
import { DependencyUnavailable } from '@gpu-observatory/service-runtime/process';
import { jwtVerify, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import {
  ACCESS_TOKEN_ALGORITHM,
  ACCESS_TOKEN_TYPE,
  type Caller,
  MAX_CLOCK_SKEW_SECONDS,
  readKeyClaims,
  readUserClaims,
} from './claims.ts';
import type { Revocations } from './revocations.ts';

/** Upper bound of valid tokens (docs/account-service.md#access-tokens). Longer ones are rejected before hashing. */
const MAX_TOKEN_LENGTH = 4_096;
const MAX_CACHED_TOKENS = 50_000;

interface TokenVerifierOptions {
  issuer: string;
  /** Audience of the tokens of users. */
  audience: string;
  /** Audience of the tokens of API keys; without it, none is accepted. */
  keyAudience?: string;
  keys: JWTVerifyGetKey;
  revocations: Revocations;
  /** Milliseconds since the epoch; for tests. */
  now?: () => number;
}

/**
 * Verifies access tokens. An ES256 signature takes about 86 µs to check, so verified tokens are cached by their SHA-256
 * until they expire. Expiry and revocation are checked on every call.
 */
export class TokenVerifier {
  private readonly verified = new LRUCache<string, Caller>({ max: MAX_CACHED_TOKENS });
  private readonly now: () => number;

  constructor(private readonly options: TokenVerifierOptions) {
    this.now = options.now ?? Date.now;
  }

  /**
   * @returns the caller, or null if the token is invalid, expired or revoked
   * @throws {DependencyUnavailable} if the signing keys have never been read
   */
  async verify(token: string): Promise<Caller | null> {
    if (token.length > MAX_TOKEN_LENGTH) return null;
    const digest = digestOf(token);
    const cached = this.cachedCaller(digest);
    if (cached !== undefined) return cached;
    const caller = await this.check(token);
    if (caller === null || !this.isCurrent(caller)) return null;
    this.verified.set(digest, caller);
    return caller;
  }

  /** Whether the token of a caller has neither expired nor been revoked since it was verified. */
  isCurrent(caller: Caller): boolean {
    return caller.expiresAt * 1000 > this.now() && !this.options.revocations.isRevoked(caller);
  }

  /** @returns null if the cached token has expired or was revoked, undefined if it is not in the cache */
  private cachedCaller(digest: string): Caller | null | undefined {
    const caller = this.verified.get(digest);
    if (caller === undefined) return undefined;
    if (this.isCurrent(caller)) return caller;
    this.verified.delete(digest);
    return null;
  }

  private async check(token: string): Promise<Caller | null> {
    const { issuer, audience, keyAudience, keys } = this.options;
    const kid = readKeyId(token);
    if (kid === null) return null;
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: keyAudience === undefined ? audience : [audience, keyAudience],
        algorithms: [ACCESS_TOKEN_ALGORITHM],
        typ: ACCESS_TOKEN_TYPE,
        requiredClaims: ['sub', 'sid', 'jti', 'iat', 'exp', 'access'],
        currentDate: new Date(this.now()),
      });
      const isOfKey = keyAudience !== undefined && payload.aud === keyAudience;
      const caller = isOfKey ? readKeyClaims(payload, kid) : readUserClaims(payload, kid);
      // A token from further in the future could be valid for longer than its revocation is kept.
      const isFromFuture =
        caller !== null && caller.issuedAt * 1000 > this.now() + MAX_CLOCK_SKEW_SECONDS * 1000;
      return isFromFuture ? null : caller;
    } catch (error) {
      if (error instanceof DependencyUnavailable) throw error;
      return null;
    }
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}

/**
 * Returns the key id of a token before its signature is checked, or null if its header is not exactly `alg`, `typ` and
 * `kid`. This excludes headers that carry a key or change how the token is read (`jwk`, `jku`, `x5u`, `x5c`, `crit`, `b64`,
 * `zip`). Header and payload must be canonical JSON, which excludes duplicate names (RFC 7519, section 4).
 */
function readKeyId(token: string): string | null {
  const parts = token.split('.');
  if (parts.length !== 3 || !parts.every(isBase64Url)) return null;
  const [header, payload] = parts.slice(0, 2).map(readPart);
  if (!header || !payload || Object.keys(header).sort().join() !== 'alg,kid,typ') return null;
  const { alg, kid, typ } = header;
  const isOurs = alg === ACCESS_TOKEN_ALGORITHM && typ === ACCESS_TOKEN_TYPE;
  return isOurs && typeof kid === 'string' && kid !== '' ? kid : null;
}

/** Whether the text is canonical base64url. Several texts decode to the same bytes; only one of them is valid. */
function isBase64Url(part: string): boolean {
  return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;
}

function readPart(part: string): Record<string, unknown> | null {
  try {
    const text = Buffer.from(part, 'base64url').toString('utf8');
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && JSON.stringify(value) === text ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
