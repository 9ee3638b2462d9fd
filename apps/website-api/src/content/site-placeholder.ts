/**
 * Placeholder for the URL of the site in stored content, which may be served under different URLs. The domain is
 * reserved and never resolves (RFC 6761, section 6.4).
 */
export const SITE_PLACEHOLDER = 'https://site.invalid';

/** Replaces the placeholder with the site URL, or with an empty string for links relative to the host. */
export const withSiteUrl = (text: string, siteUrl: string): string =>
  text.replaceAll(SITE_PLACEHOLDER, siteUrl);
