/** Paths of the blog pages. Slugs may contain letters of any script. */
export const postPath = (slug: string): string => `/blog/${encodeURIComponent(slug)}`;
export const categoryPath = (slug: string): string => `/blog/category/${encodeURIComponent(slug)}`;
export const tagPath = (slug: string): string => `/blog/tag/${encodeURIComponent(slug)}`;
