import { everyService, rateLimits } from '../every-service/every-service.ts';
import type { Rule } from '../rule.ts';
import { contact } from './contact.ts';
import { content } from './content.ts';
import { negotiation } from './negotiation.ts';

export const websiteRules: Rule[] = [...everyService, ...rateLimits, ...content, ...negotiation, ...contact];
