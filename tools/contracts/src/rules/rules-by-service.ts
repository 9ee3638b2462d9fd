import type { ServiceName } from '../document/openapi-document.ts';
import { accountRules } from './account/account.ts';
import { fleetRules } from './fleet/fleet.ts';
import type { Rule } from './rule.ts';
import { websiteRules } from './website/website.ts';

export const rulesByService: Record<ServiceName, Rule[]> = {
  fleet: fleetRules,
  account: accountRules,
  website: websiteRules,
};
