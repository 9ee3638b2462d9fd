/** Provider ids, as in URLs, tables and tenants files. */
export const PROVIDER_IDS = ['github', 'google', 'oidc'] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];

/** Sign-in methods that a customer can be restricted to. */
export const SIGN_IN_METHODS = [...PROVIDER_IDS, 'password'] as const;
export type SignInMethodId = (typeof SIGN_IN_METHODS)[number];
