import { allowedTags } from './sanitize.ts';
import type { ReferenceResolver } from './references.ts';

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
/** Their content is not text either. */
const HIDDEN = /<(script|style|iframe|object|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const TAG = /<\/?([a-z][a-z0-9:-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>?/gi;
const HANDLER = /[\s/]on\w+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;
const ADDRESS = /\s(href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi;

/**
 * The raw HTML of a post without what no page here has, and with its addresses resolved. It keeps the markdown form
 * decent; that a page is safe does not rest on it, but on the sanitiser that all of a post’s HTML goes through.
 *
 * @param offset where the HTML stands in the body
 */
export function tidyRawHtml(html: string, offset: number, resolver: ReferenceResolver): string {
  const leaveOut = (what: string) =>
    resolver.warn(offset, `raw HTML ${what} is not for a page here: it is left out`);
  return html
    .replace(COMMENT, '')
    .replace(HIDDEN, (_whole, name: string) => {
      leaveOut(`<${name}>`);
      return '';
    })
    .replace(TAG, (tag: string, name: string) => {
      if (!allowedTags.has(name.toLowerCase())) {
        if (!tag.startsWith('</')) leaveOut(`<${name}>`);
        return '';
      }
      return tidyAttributes(tag, name.toLowerCase(), offset, resolver, leaveOut);
    });
}

function tidyAttributes(
  tag: string,
  name: string,
  offset: number,
  resolver: ReferenceResolver,
  leaveOut: (what: string) => void,
): string {
  const withoutHandlers = tag.replace(HANDLER, (handler) => {
    leaveOut(handler.trim().replace(/\s*=[\s\S]*/, ''));
    return '';
  });
  let gone = false;
  const resolved = withoutHandlers.replace(
    ADDRESS,
    (_whole, attribute: string, double?: string, single?: string, bare?: string) => {
      const reference = (double ?? single ?? bare ?? '').replaceAll('&amp;', '&');
      if (name === 'img') {
        const image = resolver.image(reference, offset);
        if (image && 'shown' in image) return ` src="${escapeAttribute(image.shown)}"`;
        gone = true;
        return '';
      }
      const address = resolver.link(reference, offset);
      return address === undefined ? '' : ` ${attribute.toLowerCase()}="${escapeAttribute(address)}"`;
    },
  );
  return gone ? '' : resolved;
}

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
