import type { Access, CustomerAccess } from '@gpu-observatory/domain-types';

/** Who calls and what they may see: the claims of a verified access token (decisions, section 3, Signing). */
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

/** The header's `typ` of our access tokens (RFC 9068, section 2.1). */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
export const ACCESS_TOKEN_ALGORITHM = 'ES256';

/**
 * Reads the claims of a token whose signature holds. Even so nothing is taken on trust: a claim of another shape makes
 * the token none of ours.
 *
 * @returns null when a claim is missing or malformed
 */
export function readClaims(payload: Record<string, unknown>, signingKeyId: string): Caller | null {
  const { sub, sid, iat, exp, access } = payload;
  if (typeof sub !== 'string' || !/^[1-9]\d{0,15}$/.test(sub)) return null;
  if (typeof sid !== 'string' || sid === '') return null;
  if (typeof iat !== 'number' || typeof exp !== 'number') return null;
  if (!Array.isArray(access) || !access.every(isCustomerAccess)) return null;
  return { userId: Number(sub), sessionId: sid, access, issuedAt: iat, expiresAt: exp, signingKeyId };
}

function isCustomerAccess(entry: unknown): entry is CustomerAccess {
  if (typeof entry !== 'object' || entry === null) return false;
  const { customer_id, workspace_ids } = entry as Record<string, unknown>;
  return (
    isId(customer_id) &&
    (workspace_ids === 'all' || (Array.isArray(workspace_ids) && workspace_ids.every(isId)))
  );
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
