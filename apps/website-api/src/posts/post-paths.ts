/** Paths of the blog pages. Slugs may contain letters of any script. */
export const postPath = (slug: string): string => `/blog/${encodeURIComponent(slug)}`;
export const termPath = (kind: TermKind, slug: string): string => `/blog/${kind}/${encodeURIComponent(slug)}`;

export type TermKind = 'category' | 'tag';
