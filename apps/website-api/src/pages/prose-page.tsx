import type { VNode } from 'preact';
import { renderHtml } from '../content/render-html.ts';
import type { SiteIdentity } from '../site/site-identity.ts';
import { indexLink } from './index-link.ts';
import { renderTextPage, scriptsFor } from './layout.tsx';
import { Outline } from './outline.tsx';
import { fixedPage, type Page } from '../negotiation/page.ts';

/** A page that consists of one markdown text. */
export interface ProsePage {
  path: string;
  title: string;
  lead: string;
  /** Markdown. */
  body: string;
}

/** @param form an HTML form above the text, absent from the markdown twin */
export function prosePage(text: ProsePage, identity: SiteIdentity, form?: VNode): Page {
  const { path, title } = text;
  return fixedPage(
    { path, title },
    {
      html: () => proseHtml(text, identity, form),
      markdown: () => `# ${title}\n\n${indexLink(identity)}\n\n> ${text.lead}\n\n${text.body}`,
    },
  );
}

function proseHtml({ path, title, lead, body }: ProsePage, identity: SiteIdentity, form?: VNode): string {
  const prose = renderHtml(body, new Map());
  return renderTextPage(
    {
      path,
      title,
      description: lead,
      scripts: scriptsFor(prose),
      linkedData: { '@type': 'WebPage', name: title },
    },
    identity,
    <>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      {form}
      <div class="columns">
        <Outline prose={prose} />
        <div class="prose" dangerouslySetInnerHTML={{ __html: prose }} />
      </div>
    </>,
  );
}
