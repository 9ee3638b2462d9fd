import { allowedTags } from './sanitize.ts';
import type { ReferenceResolver } from './reference-resolver.ts';

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
/** Elements whose content is not text. */
const NON_TEXT = /<(script|style|iframe|object|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const TAG = /<\/?([a-z][a-z0-9:-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>?/gi;
const HANDLER = /[\s/]on\w+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;
const ADDRESS = /\s(href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi;

/**
 * Removes disallowed elements and event handlers from raw HTML and resolves its URLs. It cleans the markdown twin. The
 * security of a page relies on the sanitizer in `render-html.ts`, not on this function.
 *
 * @param offset of the HTML in the body, for warnings
 */
export function cleanRawHtml(html: string, offset: number, resolver: ReferenceResolver): string {
  const warnRemoved = (what: string) => resolver.warn(offset, `raw HTML ${what} is not allowed; removed`);
  return html
    .replace(COMMENT, '')
    .replace(NON_TEXT, (_whole, name: string) => {
      warnRemoved(`<${name}>`);
      return '';
    })
    .replace(TAG, (tag: string, name: string) => {
      if (!allowedTags.has(name.toLowerCase())) {
        if (!tag.startsWith('</')) warnRemoved(`<${name}>`);
        return '';
      }
      return cleanAttributes(tag, name.toLowerCase(), offset, resolver, warnRemoved);
    });
}

function cleanAttributes(
  tag: string,
  name: string,
  offset: number,
  resolver: ReferenceResolver,
  warnRemoved: (what: string) => void,
): string {
  const withoutHandlers = tag.replace(HANDLER, (handler) => {
    warnRemoved(handler.trim().replace(/\s*=[\s\S]*/, ''));
    return '';
  });
  let removed = false;
  const resolved = withoutHandlers.replace(
    ADDRESS,
    (_whole, attribute: string, double?: string, single?: string, bare?: string) => {
      const reference = (double ?? single ?? bare ?? '').replaceAll('&amp;', '&');
      if (name === 'img') {
        const image = resolver.image(reference, offset);
        if (image && 'shown' in image) return ` src="${escapeAttribute(image.shown)}"`;
        removed = true;
        return '';
      }
      const address = resolver.link(reference, offset);
      return address === undefined ? '' : ` ${attribute.toLowerCase()}="${escapeAttribute(address)}"`;
    },
  );
  return removed ? '' : resolved;
}

const escapeAttribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
