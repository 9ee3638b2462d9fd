import type { ComponentChildren } from 'preact';
import { assetPath } from '../assets/assets.ts';
import { markdownPath } from '../negotiation/page.ts';
import type { SiteIdentity } from '../site/site-identity.ts';
import { type PageHead, renderDocument } from './document.tsx';

/** Renders a page of text: header, main content and footer, with the stylesheet for reading. */
export function renderTextPage(page: PageHead, identity: SiteIdentity, main: ComponentChildren): string {
  const { path, title, description, linkedData } = page;
  const publisher = { '@type': 'Organization', name: identity.name, url: `${identity.url}/` };
  return renderDocument(
    {
      ...page,
      title: `${title} · ${identity.name}`,
      stylesheets: ['reading.css'],
      linkedData: { description, url: identity.url + path, publisher, ...linkedData },
    },
    identity,
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="masthead">
        <IndexLink />
        <a class="name" href="/">
          <img src={assetPath('dome.svg')} alt="" width="28" height="28" />
          {identity.name}
        </a>
        <Navigation path={path} />
      </header>
      <main id="content">{main}</main>
      <SiteFooter identity={identity} path={path} />
    </>,
  );
}

/** Returns the scripts that a text needs. @param prose HTML of the text */
export const scriptsFor = (prose: string): string[] =>
  prose.includes('<div class="code">') ? ['copy-code.js'] : [];

/** Sections of the site in its header. */
export const SECTIONS = [
  { path: '/blog', name: 'Research' },
  { path: '/developers', name: 'Developers' },
  { path: '/contact', name: 'Contact' },
];

/** Leads agents to the other pages. Visible when it has the focus. */
export const IndexLink = () => (
  <a class="skip" href="/llms.txt">
    Index of this site for AI agents
  </a>
);

/** Main navigation with the section of a page marked. */
export function Navigation({ path }: { path: string }) {
  return (
    <nav aria-label="Site">
      {SECTIONS.map((section) => (
        <a href={section.path} aria-current={current(section.path, path)}>
          {section.name}
        </a>
      ))}
    </nav>
  );
}

/** `page` for the page that the link leads to, `true` for a page below it. */
function current(section: string, path: string): 'page' | 'true' | undefined {
  if (section === path) return 'page';
  return path.startsWith(`${section}/`) ? 'true' : undefined;
}

export function SiteFooter({ identity, path }: { identity: SiteIdentity; path: string }) {
  const { contact, docs_url: guideUrl } = identity;
  return (
    <footer>
      <p>
        <a href={markdownPath(path)}>This page as markdown</a>
        <a href="/feed.xml">Feed</a>
        <a href="/llms.txt">llms.txt</a>
        <a href={guideUrl}>Guide</a>
        <a href="/docs">API reference</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href={`mailto:${contact.email}`}>{contact.email}</a>
      </p>
    </footer>
  );
}
