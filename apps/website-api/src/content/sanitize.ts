import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import type { Schema } from 'hast-util-sanitize';

const attributes = defaultSchema.attributes ?? {};
const tagNames = defaultSchema.tagNames ?? [];
const protocols = defaultSchema.protocols ?? {};

/** `picture` and `source` would load images by other names than the ones that are checked. */
const tags = [
  ...tagNames.filter((tag) => tag !== 'picture' && tag !== 'source'),
  'figure',
  'figcaption',
  'abbr',
  'mark',
];

export const allowedTags: ReadonlySet<string> = new Set(tags);

/**
 * What the HTML of a post may consist of: GitHub’s list, which has no script, no style, no handler, no SVG and no
 * frame. Addresses are those of this site, of the web, or of a mailbox.
 */
const schema: Schema = {
  ...defaultSchema,
  tagNames: tags,
  attributes: {
    ...attributes,
    blockquote: [
      ...(attributes['blockquote'] ?? []),
      ['className', 'callout', 'note', 'tip', 'important', 'warning', 'caution'],
    ],
    p: [...(attributes['p'] ?? []), ['className', 'callout-title']],
    code: [['className', /^language-[\w+#.-]+$/]],
    abbr: ['title'],
    '*': (attributes['*'] ?? []).filter((attribute) => attribute !== 'id' && attribute !== 'name'),
    h1: ['id'],
    h2: ['id', ...(attributes['h2'] ?? [])],
    h3: ['id'],
    h4: ['id'],
    h5: ['id'],
    h6: ['id'],
    sup: ['id'],
    a: [...(attributes['a'] ?? []), 'id'],
    li: [...(attributes['li'] ?? []), 'id'],
  },
  protocols: { ...protocols, href: ['http', 'https', 'mailto'], src: ['http', 'https'] },
  // Ids cannot clobber anything: no script of ours runs on a page.
  clobber: [],
  strip: ['script', 'style'],
};

export const sanitizer: [typeof rehypeSanitize, Schema] = [rehypeSanitize, schema];
