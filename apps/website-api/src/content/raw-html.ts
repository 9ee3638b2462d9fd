import { MARKUP } from './markdown.ts';
import { allowedTags } from './sanitize.ts';
import type { ResolvedImage, SiteReferenceResolver } from './site-reference-resolver.ts';

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
/** Elements whose content is not text. */
const NON_TEXT = /<(script|style|iframe|template)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
/** Name and value, which is in double, single or no quotes (HTML Standard, section 13.2.5.33). */
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*))?)?/g;
const TAG = new RegExp(String.raw`<(/?)([a-z][^\s/>]*)((?:${ATTRIBUTE.source})*)[\s/]*(?:>|$)`, 'gi');
/** Event handlers, and attributes that can load images. */
const UNSAFE_ATTRIBUTE = /^(?:on.*|style|srcset|background|ping)$/;
const LINK_ATTRIBUTE = /^(?:href|cite|longdesc)$/;
const WEB_ADDRESS = /^<(https?:\/\/[^\s<>]+)>$/i;

/**
 * Removes disallowed elements and attributes from the raw HTML of a post and resolves its URLs. It cleans the markdown
 * twin. The security of a page relies on the sanitizer in `render-html.ts`, not on this class.
 */
export class RawHtml {
  /** Whether the next node is in a link, which cannot contain another link. */
  insideLink = false;

  constructor(private readonly resolver: SiteReferenceResolver) {}

  /** @param offset of the HTML in the body, for warnings */
  clean(html: string, offset: number): string {
    return html
      .replace(COMMENT, '')
      .replace(NON_TEXT, (_whole, name: string) => this.removed(`<${name}>`, offset))
      .replace(TAG, (tag: string, slash: string, name: string, attributes: string) => {
        const element = name.toLowerCase();
        const end = tag.slice(1 + slash.length + name.length + attributes.length);
        if (slash !== '') {
          if (element === 'a') this.insideLink = false;
          return allowedTags.has(element) ? tag : '';
        }
        // HTML parsers treat `image` as `img`.
        if (element === 'img' || element === 'image') return this.cleanImage(attributes, end, offset);
        const address = escapeAttribute(WEB_ADDRESS.exec(tag)?.[1] ?? '');
        if (address !== '') return `<a href="${address}">${address}</a>`;
        if (!allowedTags.has(element)) return this.removed(`<${name}>`, offset);
        const cleaned = rewriteAttributes(attributes, (attribute, value) =>
          this.cleanAttribute(attribute, value, offset),
        );
        if (element === 'a' && /\shref=/i.test(cleaned)) this.insideLink = true;
        return `<${name}${cleaned}${end}`;
      });
  }

  /** Returns the image, or the link or text that replaces it. */
  private cleanImage(attributes: string, end: string, offset: number): string {
    const found: { alt: string; image?: ResolvedImage | undefined } = { alt: '' };
    const cleaned = rewriteAttributes(attributes, (name, value) => {
      if (name === 'alt') found.alt = escapeText(value.replace(/\s+/g, ' ').trim());
      if (name !== 'src') return this.cleanAttribute(name, value, offset);
      found.image ??= this.resolver.image(value, offset);
      return found.image?.url;
    });
    const { alt, image } = found;
    if (!image) return alt;
    if (image.isShown) return `<img${cleaned}${end}`;
    const text = alt || 'Image';
    return this.insideLink ? text : `<a href="${escapeAttribute(image.url)}">${text}</a>`;
  }

  private cleanAttribute(name: string, value: string, offset: number): string | undefined {
    if (LINK_ATTRIBUTE.test(name)) return this.resolver.link(value, offset);
    if (!UNSAFE_ATTRIBUTE.test(name) && name !== 'src') return value;
    this.removed(name, offset);
    return undefined;
  }

  private removed(what: string, offset: number): string {
    this.resolver.warn(offset, `raw HTML ${what} is not allowed; removed`);
    return '';
  }
}

/** Replaces the values of attributes. Removes an attribute whose new value is undefined. */
function rewriteAttributes(
  attributes: string,
  rewrite: (name: string, value: string) => string | undefined,
): string {
  return attributes.replace(
    ATTRIBUTE,
    (attribute, name: string, double?: string, single?: string, bare?: string) => {
      const value = (double ?? single ?? bare ?? '').replaceAll('&amp;', '&');
      const rewritten = rewrite(name.toLowerCase(), value);
      if (rewritten === value) return attribute;
      return rewritten === undefined ? '' : ` ${name}="${escapeAttribute(rewritten)}"`;
    },
  );
}

const escapeAttribute = (value: string) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Escapes text that may contain character references. In raw HTML, a backslash is text. */
const escapeText = (text: string) =>
  text
    .replace(/&(?!#?\w+;)/g, '&amp;')
    .replace(MARKUP, (mark) => (mark === '&' ? mark : `&#${mark.charCodeAt(0)};`));
