import { Injectable, NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_VARY, Representation, sendRepresentation } from '@gpu-observatory/service-runtime';
import type { SiteConfig } from '../config/site.config.ts';
import { WebsiteConfig } from '../config/website.config.ts';
import { comparablePath } from '../content/former-paths.ts';
import { INDEX_LINK } from '../negotiation/page.ts';
import { startRedirect } from '../negotiation/redirect.ts';
import { escapeMarkdown } from '../content/markdown.ts';
import { SitePages } from '../pages/site-pages.tsx';
import { postPath } from '../posts/post-paths.ts';
import { PublishedContent } from '../posts/published-content.ts';
import { resourcesAsMarkdown, siteResources } from '../site/resources.ts';
import { siteIdentity } from '../site/site-identity.ts';
import { type PageLink, similarPages } from './similar-pages.ts';

/**
 * Responds to unknown paths and methods. Redirects earlier paths of posts. Otherwise sends 404 with a site map in
 * markdown, so that an agent finds the right URL without guessing, see docs/website-api.md#not-found. The most similar
 * pages come first. It does not query the database.
 */
@Injectable()
export class NotFoundResponse {
  private readonly withoutSuggestions: Representation;

  constructor(
    private readonly config: WebsiteConfig,
    private readonly content: PublishedContent,
    private readonly pages: SitePages,
  ) {
    this.withoutSuggestions = new Representation(
      'text/markdown; charset=utf-8',
      siteMapMarkdown(config.site, []),
    );
  }

  /** Sends it for a path with a NUL too, which leads to no page. `/api` rejects such a path with a problem. */
  coverPathsWithNul(server: FastifyInstance): void {
    server.addHook('onRequest', (request, _reply, done) => {
      const isUnknown = Object.values(request.params as object).some((value) => String(value).includes('\0'));
      done(isUnknown && !request.url.startsWith('/api/') ? new NotFoundException() : undefined);
    });
  }

  send(request: FastifyRequest, reply: FastifyReply): void {
    const moved = this.movedPath(request);
    if (moved !== undefined) {
      void reply.send(startRedirect(request, reply, moved));
      return;
    }
    void reply.header('link', INDEX_LINK);
    sendRepresentation(request, reply, this.siteMap(pathOf(request)), { status: 404, vary: PAGE_VARY });
  }

  /** Returns the current path of a moved post, or of its markdown twin if the request is for that of the earlier path. */
  private movedPath(request: FastifyRequest): string | undefined {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const path = pathOf(request);
    const find = (former: string) => {
      const post = this.content.latest?.postAtFormerPath(comparablePath(former));
      return post && postPath(post.slug);
    };
    const twin = path.endsWith('.md') ? find(path.slice(0, -'.md'.length)) : undefined;
    return find(path) ?? (twin === undefined ? undefined : `${twin}.md`);
  }

  private siteMap(path: string): Representation {
    const similar = similarPages(path, this.pages.all(this.content.latest));
    if (similar.length === 0) return this.withoutSuggestions;
    return new Representation(
      this.withoutSuggestions.contentType,
      siteMapMarkdown(this.config.site, similar),
    );
  }
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
