/**
 * Stands for the site's own address in stored content, which may be served from more than one place. The domain is one
 * that can never be anybody's (RFC 6761, section 6.4).
 */
export const SITE = 'https://site.invalid';

/** Stored content with the address of the site that serves it, or with none for links within its own pages. */
export const onSite = (text: string, siteUrl: string): string => text.replaceAll(SITE, siteUrl);
