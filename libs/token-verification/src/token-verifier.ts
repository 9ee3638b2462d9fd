import { hash } from 'node:crypto';
import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import { jwtVerify, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { ACCESS_TOKEN_ALGORITHM, ACCESS_TOKEN_TYPE, type Caller, readClaims } from './claims.ts';
import type { Revocations } from './revocations.ts';

/** Maximum token length (docs/tokens.md#access-tokens). Bounds the cost of hashing what a client sends. */
const MAX_TOKEN_LENGTH = 4_096;
/** How many verified tokens one process remembers. */
const REMEMBERED_TOKENS = 50_000;

export interface TokenVerifierOptions {
  issuer: string;
  audience: string;
  keys: JWTVerifyGetKey;
  revocations: Revocations;
  /** Milliseconds since the epoch; for tests. */
  now?: () => number;
}

/**
 * Verifies our access tokens. Checking an ES256 signature costs some 86 us, so a verified token is remembered by its
 * SHA-256 until it expires; whether it was revoked is asked every time.
 */
export class TokenVerifier {
  private readonly verified = new LRUCache<string, Caller>({ max: REMEMBERED_TOKENS });
  private readonly now: () => number;

  constructor(private readonly options: TokenVerifierOptions) {
    this.now = options.now ?? Date.now;
  }

  /**
   * @returns the caller, or null when the token is missing a signature, claim or time that holds, or was revoked
   * @throws {DependencyUnavailable} when the keys to check it were never heard
   */
  async verify(token: string): Promise<Caller | null> {
    if (token.length > MAX_TOKEN_LENGTH) return null;
    const digest = digestOf(token);
    const remembered = this.recall(digest);
    if (remembered !== undefined) return remembered;
    const caller = await this.check(token);
    if (caller === null || !this.holds(caller)) return null;
    this.verified.set(digest, caller);
    return caller;
  }

  /** The caller of a token that was verified before and still holds; null says nothing of any other token. */
  verifyCached(token: string): Caller | null {
    return token.length > MAX_TOKEN_LENGTH ? null : (this.recall(digestOf(token)) ?? null);
  }

  /** @returns null for one that has ended, undefined for one that nobody remembers */
  private recall(digest: string): Caller | null | undefined {
    const caller = this.verified.get(digest);
    if (caller === undefined) return undefined;
    if (this.holds(caller)) return caller;
    this.verified.delete(digest);
    return null;
  }

  private holds(caller: Caller): boolean {
    return caller.expiresAt * 1000 > this.now() && !this.options.revocations.isRevoked(caller);
  }

  private async check(token: string): Promise<Caller | null> {
    const { issuer, audience, keys } = this.options;
    const kid = readKeyId(token);
    if (kid === null) return null;
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: [ACCESS_TOKEN_ALGORITHM],
        typ: ACCESS_TOKEN_TYPE,
        requiredClaims: ['sub', 'sid', 'jti', 'iat', 'exp', 'access'],
        currentDate: new Date(this.now()),
      });
      return readClaims(payload, kid);
    } catch (failure) {
      if (failure instanceof DependencyUnavailable) throw failure;
      return null;
    }
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}

/**
 * The key that a token of ours names, before anything else is done with it. The header of our tokens has exactly
 * `alg`, `typ` and `kid`: whatever would bring a key along or change how a token is read (`jwk`, `jku`, `x5u`, `x5c`,
 * `crit`, `b64`, `zip`) is refused unread. Both parts must be written as we write them, so that no name stands twice
 * (RFC 7519, section 4).
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

/** Not merely decodable: several texts decode to the same bytes, and only one of them is the token. */
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
