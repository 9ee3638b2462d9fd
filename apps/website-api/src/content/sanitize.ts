import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import type { Schema } from 'hast-util-sanitize';

const attributes = defaultSchema.attributes ?? {};
const tagNames = defaultSchema.tagNames ?? [];
const protocols = defaultSchema.protocols ?? {};

/** Excludes `picture` and `source`, because the `srcset` attribute is not checked. */
const tags = [
  ...tagNames.filter((tag) => tag !== 'picture' && tag !== 'source'),
  'figure',
  'figcaption',
  'abbr',
  'mark',
];

export const allowedTags: ReadonlySet<string> = new Set(tags);

/**
 * Allowed HTML of a post, based on GitHub's list: no scripts, styles, event handlers, SVG or frames. URLs must be
 * relative, http, https or mailto.
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
  // DOM clobbering can only disable the copy buttons of code blocks.
  clobber: [],
  strip: ['script', 'style'],
};

export const sanitizer: [typeof rehypeSanitize, Schema] = [rehypeSanitize, schema];
