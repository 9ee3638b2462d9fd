import type { ServiceName } from '../document/openapi-document.ts';
import { accountRules } from './account/account.ts';
import { fleetRules } from './fleet/fleet.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';
import { websiteRules } from './website/website.ts';

/** Everything that a deployment of each service is held to. */
export const rulesOf: Record<ServiceName, Rule<Subject>[]> = {
  fleet: fleetRules,
  account: accountRules,
  website: websiteRules,
};
