/** Paths of the blog pages. Slugs may contain letters of any script. */
export const postPath = (slug: string): string => `/blog/${encodeURIComponent(slug)}`;
export const termPath = (kind: TermKind, slug: string): string => `/blog/${kind}/${encodeURIComponent(slug)}`;

export type TermKind = 'category' | 'tag';

/** Returns the path of the image for link previews and feed readers. They do not show SVG. */
export const previewImage = ({ image_path: path }: { image_path: string | null }): string | undefined =>
  path === null || /\.svg$/i.test(path) ? undefined : path;
