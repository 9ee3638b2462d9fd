import type { SiteIdentity } from '../site/site-identity.ts';

/** Line near the top of every markdown twin that leads agents to the other pages. */
export const indexLink = ({ url }: Pick<SiteIdentity, 'url'>): string =>
  `[Index of this site for AI agents](${url}/llms.txt)`;
