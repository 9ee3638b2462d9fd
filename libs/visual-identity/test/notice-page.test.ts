import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  DOME_SVG,
  escapeHtml,
  NOTICE_CONTENT_SECURITY_POLICY,
  noticePage,
} from '@gpu-observatory/visual-identity';

describe('noticePage', () => {
  const page = noticePage({ title: 'A <b>title</b>', main: '<p>Main</p>', footer: 'Foot' });

  it('contains title, main and footer, with the title escaped', () => {
    expect(page).toContain('<h1>A &lt;b&gt;title&lt;/b&gt;</h1>\n<p>Main</p>');
    expect(page).toContain('<title>A &lt;b&gt;title&lt;/b&gt; · GPU Observatory</title>');
    expect(page).toContain('<footer><p>Foot</p></footer>');
    expect(noticePage({ title: 'No footer', main: '' })).not.toContain('<footer>');
  });

  it('has a style that its content security policy allows, and no other resource', () => {
    const style = /<style>([^]*)<\/style>/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(NOTICE_CONTENT_SECURITY_POLICY).toContain(`style-src 'sha256-${hash}'`);
    const urls = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url?.split(',')[0]);
    expect(urls).toEqual(['data:image/svg+xml;base64', 'data:image/svg+xml;base64']);
    expect(page).not.toContain('<script');
  });
});

describe('escapeHtml', () => {
  it('escapes text for content and quoted attributes', () => {
    expect(escapeHtml(`<a href="x" title='y'>&`)).toBe('&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;');
  });
});

describe('the logo', () => {
  it('is the same in the console, which serves it at a fixed path', () => {
    const inConsole = new URL('../../../apps/console/public/dome.svg', import.meta.url);
    expect(readFileSync(inConsole, 'utf8')).toBe(DOME_SVG);
  });
});
