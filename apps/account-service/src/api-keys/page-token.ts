import { MAX_ID, parsePositiveInteger } from '@gpu-observatory/domain-types';

/** Version of the format. */
const PREFIX = 'k1:';

/** Returns the token of the page that starts after this key. */
export function pageTokenAfter(keyId: number): string {
  return Buffer.from(`${PREFIX}${keyId}`).toString('base64url');
}

/** Returns the id of the key after which the page starts, or null for a token that the service did not issue. */
export function parsePageToken(token: unknown): number | null {
  if (typeof token !== 'string') return null;
  const text = Buffer.from(token, 'base64url').toString();
  const id = text.startsWith(PREFIX) ? parsePositiveInteger(text.slice(PREFIX.length)) : null;
  return id !== null && id <= MAX_ID && pageTokenAfter(id) === token ? id : null;
}
