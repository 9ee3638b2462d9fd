import type { FastifyRequest } from 'fastify';
import {
  PAGE_VARY,
  Representation,
  sendRepresentation,
  type UnknownPathHandler,
} from '@gpu-observatory/service-runtime';
import type { SiteConfig } from '../config/site.config.ts';
import { comparablePath } from '../content/former-paths.ts';
import { sendRedirect } from '../pages/page.ts';
import { escapeMarkdown } from '../pages/escape-markdown.ts';
import { resourcesAsMarkdown, siteResources } from '../site/resources.ts';
import { siteIdentity } from '../site/site-identity.ts';
import { type PageLink, similarPages } from './similar-pages.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns all pages of the site, for the 404 handler, which runs outside of any controller. */
    knownPages?: () => PageLink[];
    /** Returns the path of the post that had this comparable path before. */
    pathOfMovedPost?: (formerPath: string) => string | undefined;
  }
}

/**
 * Returns the handler for unknown paths and methods. It redirects earlier paths of posts. Otherwise it sends 404 with a site map in markdown, so that an agent finds
 * the right URL without guessing, see docs/website-api.md#not-found. The most similar pages come first. The handler
 * does not query the database.
 */
export function markdownNotFound(config: SiteConfig): UnknownPathHandler {
  const withoutSuggestions = new Representation('text/markdown; charset=utf-8', siteMapMarkdown(config, []));
  return (request, reply) => {
    const moved = movedPath(request);
    if (moved !== undefined) return sendRedirect(request, reply, moved);
    const similar = similarPages(pathOf(request), request.server.knownPages?.() ?? []);
    const siteMap =
      similar.length === 0
        ? withoutSuggestions
        : new Representation(withoutSuggestions.contentType, siteMapMarkdown(config, similar));
    void reply.header('link', '</llms.txt>; rel="describedby"; type="text/plain"');
    sendRepresentation(request, reply, siteMap, { status: 404, vary: PAGE_VARY });
  };
}

/** Returns the current path of a moved post, or of its markdown twin if the request is for that of the earlier path. */
function movedPath(request: FastifyRequest): string | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const path = pathOf(request);
  const find = (former: string) => request.server.pathOfMovedPost?.(comparablePath(former));
  const twin = path.endsWith('.md') ? find(path.slice(0, -'.md'.length)) : undefined;
  return find(path) ?? (twin === undefined ? undefined : `${twin}.md`);
}

const pathOf = ({ url }: FastifyRequest) => url.split(/[?#]/, 1)[0] ?? '';

function siteMapMarkdown(config: SiteConfig, similar: PageLink[]): string {
  const { name, description, url } = siteIdentity(config);
  const links = similar.map(({ title, path }) => `- [${escapeMarkdown(title)}](${url}${path})\n`);
  const suggestions =
    similar.length === 0 ? '' : `## Similar pages\n\nOther pages, with a similar URL:\n\n${links.join('')}\n`;
  return `# Not found

No page or endpoint has this URL, or it does not support this method. This site is ${name}. ${description}

${suggestions}${resourcesAsMarkdown(siteResources(config))}`;
}
