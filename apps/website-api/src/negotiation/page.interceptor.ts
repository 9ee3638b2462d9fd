import {
  applyDecorators,
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import {
  PAGE_TYPES,
  PAGE_VARY,
  preferredPageType,
  PRIVATE,
  PUBLIC,
  startResponse,
} from '@gpu-observatory/service-runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { INDEX_LINK, markdownPath, type Page, type PageAddress } from './page.ts';
import { MovedPage, startRedirect } from './redirect.ts';

const MARKDOWN = PAGE_TYPES[1];

/** Class decorator of a controller whose handlers return pages. A path that ends in `.md` is that of a markdown twin. */
export const PageController = () =>
  applyDecorators(ApiExcludeController(), Controller(), UseInterceptors(PageInterceptor));

/** Sends a page in the content type that the client prefers, or as markdown at the path of the twin. */
@Injectable()
class PageInterceptor implements NestInterceptor<Page | MovedPage, Buffer | undefined> {
  intercept(context: ExecutionContext, next: CallHandler<Page | MovedPage>): Observable<Buffer | undefined> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next
      .handle()
      .pipe(
        map((result) =>
          result instanceof MovedPage
            ? startRedirect(request, reply, result.path)
            : startPage(request, reply, result),
        ),
      );
  }
}

function startPage(request: FastifyRequest, reply: FastifyReply, page: Page): Buffer | undefined {
  const isTwin = isMarkdownPath(request);
  if (isTwin || preferredPageType(request.headers) === MARKDOWN) {
    void reply.header('link', markdownLinkHeader(page));
    const cacheControl = isTwin ? PUBLIC : PRIVATE;
    return startResponse(request, reply, page.markdown(), { cacheControl, vary: PAGE_VARY });
  }
  void reply.header(
    'link',
    `<${markdownPath(page.path)}>; rel="alternate"; type="text/markdown", ${INDEX_LINK}`,
  );
  return startResponse(request, reply, page.html(), { vary: PAGE_VARY });
}

/** Looks at the path as the router decoded it: at its last parameter, or at the path of a route without parameters. */
function isMarkdownPath({ params, routeOptions }: FastifyRequest): boolean {
  const name = Object.values(params as Record<string, string>).at(-1) ?? routeOptions.url ?? '';
  return name.endsWith('.md');
}

/** Returns the `Link` header with the canonical URL of the HTML page, in ASCII as headers require. */
function markdownLinkHeader({ path, canonicalUrl }: PageAddress): string {
  const canonical = canonicalUrl === undefined ? path : new URL(canonicalUrl).href;
  return `<${canonical}>; rel="canonical", ${INDEX_LINK}`;
}
