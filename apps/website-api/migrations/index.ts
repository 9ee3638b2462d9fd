import { CreateContactRequests1795226400000 } from './2026-11-21-create-contact-requests.ts';
import { CreateContent1795222802000 } from './2026-11-21-create-content.ts';

/** Migrations of the schema `website`, oldest first. */
export const migrations = [CreateContent1795222802000, CreateContactRequests1795226400000];
