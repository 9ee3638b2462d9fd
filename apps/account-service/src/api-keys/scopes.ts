/** Scopes of API keys: every key may send telemetry; an operator can grant sending contact requests. */
export const KEY_SCOPES = ['telemetry:write', 'contact:write'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Scopes that an operator grants and revokes. */
export const GRANTABLE_SCOPES: readonly KeyScope[] = ['contact:write'];
