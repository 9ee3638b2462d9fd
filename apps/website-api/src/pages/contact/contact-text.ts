import type { SiteConfig } from '../../config/site.config.ts';
import type { ProsePage } from '../prose-page.ts';

/** What the contact page says. */
export function contactText({ contactEmail }: SiteConfig): ProsePage {
  return {
    path: '/contact',
    title: 'Contact',
    lead: 'Ask for a demo, report a fault, or tell us what your fleet does that it should not.',
    body: `## By mail

Write to [${contactEmail}](mailto:${contactEmail}). People read it.

For a demo, say how many GPUs you run, of which models, and what they do. For a vulnerability in this service, put
“security” in the subject; please give us a chance to mend it before you publish.
`,
  };
}
