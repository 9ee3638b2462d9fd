import { noTokenInQuery, invalidTokensRejected } from '../every-service/bearer-tokens.ts';
import { allowedOrigins, everyService, rateLimits, unknownPath } from '../every-service/every-service.ts';
import type { Rule } from '../rule.ts';
import { accessToken } from './access-token.ts';
import { keys } from './keys.ts';
import { oauth } from './oauth.ts';
import { expectError } from './requests.ts';
import { sessions } from './sessions.ts';
import { signIn } from './sign-in.ts';

export const accountRules: Rule[] = [
  ...everyService,
  ...rateLimits,
  ...allowedOrigins,
  unknownPath((detail) => ({ title: 'Not Found', detail })),
  invalidTokensRejected('docs/account-service.md#access-tokens', (response, why) =>
    expectError(response, 401, 'Unauthorized', why),
  ),
  noTokenInQuery,
  ...signIn,
  ...accessToken,
  ...keys,
  ...oauth,
  ...sessions,
];
