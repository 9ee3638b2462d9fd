import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { renderHtml } from '../content/render-html.ts';
import type { SiteIdentity } from '../site/site-identity.ts';
import { document, masthead, siteFooter } from './layout.ts';
import { outline } from './outline.html.ts';
import { fixedPage, type Page } from './page.ts';

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
  const markdownPath = `${text.path}.md`;
  return fixedPage(
    { path: text.path, markdownPath, title: text.title },
    {
      html: () => proseHtml(text, markdownPath, identity, form),
      markdown: () => `# ${text.title}\n\n> ${text.lead}\n\n${text.body}`,
    },
  );
}

function proseHtml(
  { path, title, lead, body }: ProsePage,
  markdownPath: string,
  identity: SiteIdentity,
  form: VNode | undefined,
): string {
  const url = identity.url + path;
  const prose = renderHtml(body, new Map());
  const head = {
    title: `${title} · ${identity.name}`,
    description: lead,
    url,
    markdownUrl: identity.url + markdownPath,
    stylesheets: ['reading.css'],
    linkedData: {
      '@type': 'WebPage',
      name: title,
      description: lead,
      url,
      publisher: { '@type': 'Organization', name: identity.name, url: `${identity.url}/` },
    },
  };
  return document(
    head,
    identity,
    html`
      ${masthead(path, identity)}
      <main id="content">
        <h1>${title}</h1>
        <p class="lead">${lead}</p>
        ${form}
        <div class="columns">
          ${outline(prose)}
          <div class="prose" dangerouslySetInnerHTML=${{ __html: prose }}></div>
        </div>
      </main>
      ${siteFooter(identity, markdownPath)}
    `,
  );
}
