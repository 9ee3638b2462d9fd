import { everyService, rateLimits } from '../every-service/every-service.ts';
import type { Rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { contact } from './contact.ts';
import { content } from './content.ts';
import { negotiation } from './negotiation.ts';

export const websiteRules: Rule<Target>[] = [
  ...everyService,
  ...rateLimits,
  ...content,
  ...negotiation,
  ...contact,
];
