import { DAY_MS, HOUR_MS, SECOND_MS } from '@gpu-observatory/domain-types';

/** Lifetime of an access token (`docs/account-service.md#limits`). */
export const ACCESS_TOKEN_TTL_SECONDS = (6 * HOUR_MS) / SECOND_MS;

/** Lifetime of a session and its refresh token from sign-in; a refresh does not extend it. */
export const SESSION_TTL_SECONDS = DAY_MS / SECOND_MS;
