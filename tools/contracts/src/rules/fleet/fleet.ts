import { allowedOrigins, defaultUnknownPath, everyService } from '../every-service/every-service.ts';
import { noTokenInQuery, tokensRefused } from '../every-service/bearer-tokens.ts';
import type { Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { alertCounts } from './alert-counts.ts';
import { alertDetails } from './alert-details.ts';
import { alertLists } from './alert-lists.ts';
import { freshness } from './freshness.ts';
import { gpus } from './gpus.ts';
import { metrics } from './metrics.ts';
import { refusals } from './refusals.ts';

/** Everything that a deployment of fleet-api is held to. */
export const fleetRules: Rule<Subject>[] = [
  ...everyService,
  ...allowedOrigins,
  defaultUnknownPath,
  tokensRefused('contract 5, 7.1', (body) => (body as { error?: string })?.error === 'unauthorized'),
  noTokenInQuery,
  ...refusals,
  ...alertLists,
  ...alertCounts,
  ...alertDetails,
  ...gpus,
  ...metrics,
  ...freshness,
];
