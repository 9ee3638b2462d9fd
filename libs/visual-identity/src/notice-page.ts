import { createHash } from 'node:crypto';
import { DOME_SVG, FRAME_CSS, NOTICE_CSS, TOKENS_CSS } from './files.ts';

const STYLE = TOKENS_CSS + FRAME_CSS + NOTICE_CSS;

/**
 * Content security policy of a notice page: only its own style and the inline logo, no scripts. `form-action` is not set,
 * because browsers would apply it to the redirects after a form too.
 */
export const NOTICE_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const LOGO = `data:image/svg+xml;base64,${Buffer.from(DOME_SVG).toString('base64')}`;

export interface Notice {
  /** Plain text. */
  title: string;
  /** HTML. */
  main: string;
  /** HTML. */
  footer?: string;
}

/** Renders a page with one message for a server without assets: styles and logo are part of the document. */
export function noticePage({ title, main, footer = '' }: Notice): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · GPU Observatory</title>
<link rel="icon" type="image/svg+xml" href="${LOGO}">
<style>${STYLE}</style>
</head>
<body>
<header class="masthead"><p class="name"><img src="${LOGO}" alt="" width="28" height="28">GPU Observatory</p></header>
<main>
<h1>${escapeHtml(title)}</h1>
${main}
</main>${footer && `\n<footer><p>${footer}</p></footer>`}
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
