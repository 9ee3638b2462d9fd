import {
  type Access,
  type CustomerAccess,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
} from '@gpu-observatory/domain-types';

/** The claims of a verified access token (docs/account-service.md#access-tokens). */
export interface Caller {
  userId: number;
  sessionId: string;
  access: Access;
  /** Seconds since the epoch. */
  issuedAt: number;
  /** Seconds since the epoch. */
  expiresAt: number;
  signingKeyId: string;
}

/** `typ` in the header of an access token (RFC 9068, section 2.1). */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
export const ACCESS_TOKEN_ALGORITHM = 'ES256';

/** Longest lifetime of an access token, and the one that account-service issues (docs/tokens.md#access-tokens). */
export const MAX_TOKEN_LIFETIME_SECONDS = (6 * HOUR_MS) / SECOND_MS;

/** Largest difference between the clocks of the database and of a verifier. Revocations stay in effect this much longer. */
export const MAX_CLOCK_SKEW_SECONDS = (10 * MINUTE_MS) / SECOND_MS;

/**
 * Validates the claims of a token with a valid signature. The result is frozen, because all requests with the token share
 * it.
 *
 * @returns null if a claim is missing or malformed
 */
export function readClaims(payload: Record<string, unknown>, signingKeyId: string): Caller | null {
  const { sub, sid, jti, iat, exp } = payload;
  if (typeof sub !== 'string' || !/^[1-9]\d{0,15}$/.test(sub) || !isId(Number(sub))) return null;
  if (typeof sid !== 'string' || sid === '' || typeof jti !== 'string' || jti === '') return null;
  if (!isTime(iat) || !isTime(exp) || exp <= iat || exp - iat > MAX_TOKEN_LIFETIME_SECONDS) return null;
  const access = readAccess(payload['access']);
  if (access === null) return null;
  return Object.freeze({
    userId: Number(sub),
    sessionId: sid,
    access,
    issuedAt: iat,
    expiresAt: exp,
    signingKeyId,
  });
}

function readAccess(claim: unknown): Access | null {
  if (!Array.isArray(claim)) return null;
  const access: CustomerAccess[] = [];
  for (const entry of claim as unknown[]) {
    if (typeof entry !== 'object' || entry === null) return null;
    const { customer_id, workspace_ids } = entry as Record<string, unknown>;
    if (!isId(customer_id) || !(workspace_ids === 'all' || isIdList(workspace_ids))) return null;
    if (workspace_ids !== 'all') Object.freeze(workspace_ids);
    access.push(Object.freeze({ customer_id, workspace_ids }));
  }
  return Object.freeze(access);
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isIdList(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(isId);
}

/** Whether a value is a whole number of seconds since the epoch. */
function isTime(value: unknown): value is number {
  return isId(value);
}
