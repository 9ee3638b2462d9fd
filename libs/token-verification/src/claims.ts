import {
  type Access,
  type CustomerAccess,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
} from '@gpu-observatory/domain-types';

/** The claims of a verified access token (docs/tokens.md#access-tokens). */
interface TokenClaims {
  /** Session of a user, or the tokens of an API key that are revoked together. */
  sessionId: string;
  access: Access;
  /** Seconds since the epoch. */
  issuedAt: number;
  /** Seconds since the epoch. */
  expiresAt: number;
  signingKeyId: string;
}

/** A signed-in user. */
export interface UserCaller extends TokenClaims {
  userId: number;
}

/** A program with an API key. */
interface KeyCaller extends TokenClaims {
  keyId: number;
}

export type Caller = UserCaller | KeyCaller;

/** Scope of an API key that reads the fleet data API. */
export const FLEET_READ_SCOPE = 'fleet:read';

/** Returns the `aud` of the tokens of API keys: only fleet-api accepts it (docs/tokens.md#tokens-of-api-keys). */
export function keyAudienceOf(audience: string): string {
  return `${audience}/fleet-api`;
}

/** Returns the `sub` of the tokens of an API key. The prefix distinguishes it from the id of a user (RFC 9068, section 5). */
export function subjectOfKey(keyId: number): string {
  return `key:${keyId}`;
}

/** `typ` in the header of an access token (RFC 9068, section 2.1). */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
export const ACCESS_TOKEN_ALGORITHM = 'ES256';

/** Longest lifetime of an access token, and the one that account-service issues (docs/tokens.md#access-tokens). */
export const MAX_TOKEN_LIFETIME_SECONDS = (6 * HOUR_MS) / SECOND_MS;

/** Lifetime of the token of an API key. */
export const KEY_TOKEN_LIFETIME_SECONDS = (15 * MINUTE_MS) / SECOND_MS;

/** Largest difference between the clocks of the database and of a verifier. Revocations stay in effect this much longer. */
export const MAX_CLOCK_SKEW_SECONDS = (10 * MINUTE_MS) / SECOND_MS;

/**
 * Validates the claims of a user's token with a valid signature. The result is frozen, because all requests with the token
 * share it.
 *
 * @returns null if a claim is missing or malformed
 */
export function readUserClaims(payload: Record<string, unknown>, signingKeyId: string): UserCaller | null {
  const userId = readId(payload['sub']);
  const claims = readClaims(payload, signingKeyId, MAX_TOKEN_LIFETIME_SECONDS);
  return userId === null || claims === null ? null : Object.freeze({ ...claims, userId });
}

/**
 * Same as `readUserClaims`, for the token of an API key.
 *
 * @returns null also if the token may not read
 */
export function readKeyClaims(payload: Record<string, unknown>, signingKeyId: string): KeyCaller | null {
  const { client_id: clientId, sub, scope } = payload;
  const keyId = readId(clientId);
  if (keyId === null || sub !== subjectOfKey(keyId)) return null;
  if (typeof scope !== 'string' || !scope.split(' ').includes(FLEET_READ_SCOPE)) return null;
  const claims = readClaims(payload, signingKeyId, KEY_TOKEN_LIFETIME_SECONDS);
  return claims === null ? null : Object.freeze({ ...claims, keyId });
}

function readClaims(
  payload: Record<string, unknown>,
  signingKeyId: string,
  maxLifetimeSeconds: number,
): TokenClaims | null {
  const { sid, jti, iat, exp } = payload;
  if (typeof sid !== 'string' || sid === '' || typeof jti !== 'string' || jti === '') return null;
  if (!isPositiveInteger(iat) || !isPositiveInteger(exp) || exp <= iat || exp - iat > maxLifetimeSeconds)
    return null;
  const access = readAccess(payload['access']);
  if (access === null) return null;
  return { sessionId: sid, access, issuedAt: iat, expiresAt: exp, signingKeyId };
}

/** Parses an id that is a string in a claim. */
function readId(claim: unknown): number | null {
  return typeof claim === 'string' && /^[1-9]\d{0,15}$/.test(claim) && isPositiveInteger(Number(claim))
    ? Number(claim)
    : null;
}

function readAccess(claim: unknown): Access | null {
  if (!Array.isArray(claim)) return null;
  const access: CustomerAccess[] = [];
  for (const entry of claim as unknown[]) {
    if (typeof entry !== 'object' || entry === null) return null;
    const { customer_id, workspace_ids } = entry as Record<string, unknown>;
    if (!isPositiveInteger(customer_id) || !(workspace_ids === 'all' || isIdList(workspace_ids))) return null;
    if (workspace_ids !== 'all') Object.freeze(workspace_ids);
    access.push(Object.freeze({ customer_id, workspace_ids }));
  }
  return Object.freeze(access);
}

function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isIdList(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isPositiveInteger);
}
