import type { SiteConfig } from '../../config/site.config.ts';
import type { ProsePage } from '../prose-page.tsx';

/** The text of the contact page, without its form. */
export function contactContent({ contactEmail, siteUrl }: SiteConfig): ProsePage {
  return {
    path: '/contact',
    title: 'Contact',
    lead: 'Request a demo, report a problem, or ask a question about your fleet.',
    body: `## By mail

Write to [${contactEmail}](mailto:${contactEmail}).

For a demo, state the number and models of your GPUs and the workloads on them. To report a vulnerability in this
service, put “security” in the subject. Please give us time to fix it before you publish.

## From a program

Send an API key with the scope \`contact:write\`. A repeated request with the same \`Idempotency-Key\` is stored once:

\`\`\`sh
curl -X POST ${siteUrl}/api/contact \\
  -H "x-api-key: $API_KEY" -H "Idempotency-Key: $(uuidgen)" \\
  -H 'Content-Type: application/json' \\
  -d '{"firstName": "Ada", "email": "ada@example.org", "message": "A demo, please."}'
\`\`\`
`,
  };
}

/** The page after a successful submission of the form. */
export const SENT_CONTENT: ProsePage = {
  path: '/contact/sent',
  title: 'Thank you',
  lead: 'We have received your request and will reply by mail.',
  body: '[Back to the research](/blog)\n',
};

/** @param reason why the form was rejected and how to correct it */
export const notSentContent = (reason: string, { contactEmail }: SiteConfig): ProsePage => ({
  path: '/contact',
  title: 'Not sent',
  lead: reason,
  body: `Nothing was stored. You can also write to [${contactEmail}](mailto:${contactEmail}).\n`,
});
