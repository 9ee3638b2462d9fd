import { noTokenInQuery, tokensRefused } from '../every-service/bearer-tokens.ts';
import { allowedOrigins, defaultUnknownPath, everyService } from '../every-service/every-service.ts';
import type { Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { accessToken } from './access-token.ts';
import { keys } from './keys.ts';
import { signIn } from './sign-in.ts';

/** Everything that a deployment of account-service is held to. */
export const accountRules: Rule<Subject>[] = [
  ...everyService,
  ...allowedOrigins,
  defaultUnknownPath,
  tokensRefused('contract 5, 7.2', (body) => (body as { title?: string })?.title === 'Unauthorized'),
  noTokenInQuery,
  ...signIn,
  ...accessToken,
  ...keys,
];
