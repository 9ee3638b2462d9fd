import { DAY_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { MAX_TOKEN_LIFETIME_SECONDS } from '@gpu-observatory/token-verification';

/** Lifetime of an access token (`docs/account-service.md#access-tokens`). */
export const ACCESS_TOKEN_TTL_SECONDS = MAX_TOKEN_LIFETIME_SECONDS;

/** Lifetime of a session and its refresh token from sign-in; a refresh does not extend it. */
export const SESSION_TTL_SECONDS = DAY_MS / SECOND_MS;
