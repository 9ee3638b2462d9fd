import { everyService } from '../every-service/every-service.ts';
import type { Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { contact } from './contact.ts';
import { content } from './content.ts';
import { negotiation } from './negotiation.ts';

/** Everything that a deployment of website-api is held to. */
export const websiteRules: Rule<Subject>[] = [...everyService, ...content, ...negotiation, ...contact];
