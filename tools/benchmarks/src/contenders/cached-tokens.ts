import { createHash } from 'node:crypto';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';

/** Returns the claims of the token in an `Authorization` header, null when it is invalid or has expired. */
type VerifyToken = (authorization: string | undefined) => Promise<JWTPayload | null>;

/** Verifies each token once and caches its claims by the token's SHA-256. */
export function cachedTokens(jwksUrl: string, issuer: string): VerifyToken {
  const keys = createRemoteJWKSet(new URL(jwksUrl));
  const verified = new Map<string, JWTPayload>();
  return async (authorization = '') => {
    const token = authorization.replace(/^Bearer /, '');
    const digest = createHash('sha256').update(token).digest('base64');
    let claims = verified.get(digest);
    if (claims === undefined) {
      const result = await jwtVerify(token, keys, { issuer }).catch(() => null);
      claims = result?.payload ?? {};
      verified.set(digest, claims);
    }
    return (claims.exp ?? 0) * 1000 > Date.now() ? claims : null;
  };
}
