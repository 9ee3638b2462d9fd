import type { ServiceName } from '../document/openapi-document.ts';
import { accountRules } from './account/account.ts';
import { fleetRules } from './fleet/fleet.ts';
import type { Rule } from './rule.ts';
import type { Target } from './target.ts';
import { websiteRules } from './website/website.ts';

export const rulesByService: Record<ServiceName, Rule<Target>[]> = {
  fleet: fleetRules,
  account: accountRules,
  website: websiteRules,
};
