import { allowedOrigins, everyService, unknownPath } from '../every-service/every-service.ts';
import { noTokenInQuery, invalidTokensRejected } from '../every-service/bearer-tokens.ts';
import type { Rule } from '../rule.ts';
import { alertCounts } from './alert-counts.ts';
import { alertDetails } from './alert-details.ts';
import { alertFilters } from './alert-filters.ts';
import { alertLists } from './alert-lists.ts';
import { alertSearch } from './alert-search.ts';
import { conditionalRequests } from './conditional-requests.ts';
import { exports } from './exports.ts';
import { fleetUsage } from './fleet-usage.ts';
import { gpus } from './gpus.ts';
import { hosts } from './hosts.ts';
import { metrics } from './metrics.ts';
import { invalidRequests } from './invalid-requests.ts';
import { expectError } from './requests.ts';
import { xidIncidents } from './xid-incidents.ts';

export const fleetRules: Rule[] = [
  ...everyService,
  ...allowedOrigins,
  unknownPath((message) => ({ message, error: 'Not Found', statusCode: 404 })),
  invalidTokensRejected('docs/fleet-api.md#authentication', (response, why) =>
    expectError(response, 401, 'unauthorized', why),
  ),
  noTokenInQuery,
  ...invalidRequests,
  ...alertLists,
  ...alertFilters,
  ...alertCounts,
  ...alertSearch,
  ...alertDetails,
  ...gpus,
  ...hosts,
  ...fleetUsage,
  ...metrics,
  ...xidIncidents,
  ...conditionalRequests,
  ...exports,
];
