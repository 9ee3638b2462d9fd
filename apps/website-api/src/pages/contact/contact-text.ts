import type { SiteConfig } from '../../config/site.config.ts';
import type { ProsePage } from '../prose-page.ts';

/** What the contact page says beside its form. */
export function contactText({ contactEmail, siteUrl }: SiteConfig): ProsePage {
  return {
    path: '/contact',
    title: 'Contact',
    lead: 'Ask for a demo, report a fault, or tell us what your fleet does that it should not.',
    body: `## By mail

Write to [${contactEmail}](mailto:${contactEmail}). People read it.

For a demo, say how many GPUs you run, of which models, and what they do. For a vulnerability in this service, put
“security” in the subject; please give us a chance to mend it before you publish.

## From a program

With an API key that has the scope \`contact:write\`. Repeated with the same \`Idempotency-Key\`, it counts once:

\`\`\`sh
curl -X POST ${siteUrl}/api/contact \\
  -H 'Content-Type: application/json' -H "x-api-key: $API_KEY" -H "Idempotency-Key: $(uuidgen)" \\
  -d '{"firstName": "Ada", "email": "ada@example.org", "company": "Engines", "message": "A demo, please."}'
\`\`\`
`,
  };
}

/** What a person reads who has sent the form. */
export const SENT: ProsePage = {
  path: '/contact/sent',
  title: 'Thank you',
  lead: 'Your request has arrived, and a person will answer it.',
  body: '[Back to the research](/blog)\n',
};

/** @param reason what is wrong, and what would be right */
export const notSent = (reason: string): ProsePage => ({
  path: '/contact',
  title: 'Not sent',
  lead: reason,
  body: 'Nothing was kept. Go back in your browser to find what you wrote, or [begin again](/contact).\n',
});
