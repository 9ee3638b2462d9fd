/** What a key may do: send telemetry, which each may; send contact requests, which an operator grants (decisions, section 3). */
export const KEY_SCOPES = ['telemetry:write', 'contact:write'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Those that are an operator's to grant and revoke. */
export const GRANTED_SCOPES: readonly KeyScope[] = ['contact:write'];
