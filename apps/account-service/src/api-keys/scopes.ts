/** Scopes of API keys: every key may send telemetry; an operator can grant sending contact requests. */
export type KeyScope = 'telemetry:write' | 'contact:write';

/** Scopes that an operator grants and revokes. */
export const GRANTABLE_SCOPES: readonly KeyScope[] = ['contact:write'];
