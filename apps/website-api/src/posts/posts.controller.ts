import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { jsonRepresentation, NoParameters, type Representation } from '@gpu-observatory/service-runtime';
import { DomainError, echo, websiteErrors } from '@gpu-observatory/service-runtime/process';
import { WebsiteConfig } from '../config/website.config.ts';
import { ApiConditionalResponse } from '../negotiation/api-conditional-response.ts';
import { ErrorResponses, UNAVAILABLE, UNKNOWN_PARAMETER } from '../requests/error-responses.ts';
import { slugOf } from '../content/slugs.ts';
import type { ContentSnapshot, Term } from './content-snapshot.ts';
import type { TermKind } from './post-paths.ts';
import { DEFAULT_LIMIT, PostList, PostsQuery, postSummary, SinglePost } from './posts.dto.ts';
import { PublishedContent } from './published-content.ts';

/** `GET /api/posts` and `GET /api/posts/{slug}`, see docs/website-api.md#posts. */
@ApiTags('Posts')
@Controller('api/posts')
export class PostsController {
  constructor(
    private readonly content: PublishedContent,
    private readonly config: WebsiteConfig,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listBlogPosts',
    summary: 'Published posts, newest first',
    description: 'Without their text. Filters combine with AND.',
  })
  @ApiConditionalResponse(PostList, 'One page of the list.')
  @ErrorResponses({
    400: 'Unknown or invalid query parameter, or a category or tag that no published post has.',
    503: UNAVAILABLE,
  })
  async listBlogPosts(@Query() query: PostsQuery): Promise<Representation> {
    const snapshot = await this.content.current();
    const { category, tag, featured, limit, offset } = query;
    const key = `posts ${JSON.stringify([category, tag, featured, limit, offset])}`;
    return snapshot.representation(key, () => jsonRepresentation(this.list(snapshot, query)));
  }

  @Get(':slug')
  @ApiOperation({
    operationId: 'getBlogPost',
    summary: 'One post with its full text as markdown',
    description: 'The page of the post is at `url`, and its markdown twin at `url` with the suffix `.md`.',
  })
  @ApiConditionalResponse(SinglePost, 'The post.')
  @ErrorResponses({ 400: UNKNOWN_PARAMETER, 404: 'No published post has this slug.', 503: UNAVAILABLE })
  async getBlogPost(@Param('slug') slug: string, @Query() _query: NoParameters): Promise<Representation> {
    const snapshot = await this.content.current();
    const row = snapshot.post(slug);
    if (!row) {
      throw new DomainError(
        websiteErrors.notFound,
        'No published post has this slug. GET /api/posts lists the published posts.',
      );
    }
    return snapshot.representation(`post ${slug}`, () =>
      jsonRepresentation({ post: { ...postSummary(row, this.config.site.siteUrl), body: row.body } }),
    );
  }

  private list(snapshot: ContentSnapshot, query: PostsQuery): PostList {
    const limit = Number(query.limit ?? DEFAULT_LIMIT);
    const offset = Number(query.offset ?? 0);
    const category = findTerm('category', query.category, snapshot);
    const tag = findTerm('tag', query.tag, snapshot);
    const matching = snapshot.posts.filter(
      (post) =>
        (!category || post.category_slug === category.slug) &&
        (!tag || post.tag_slugs.includes(tag.slug)) &&
        (query.featured === undefined || post.featured === (query.featured === 'true')),
    );
    return {
      posts: matching
        .slice(offset, offset + limit)
        .map((post) => postSummary(post, this.config.site.siteUrl)),
      total: matching.length,
      limit,
      offset,
    };
  }
}

/** Finds the category or tag of a filter by its slug, or by another spelling of it. */
function findTerm(kind: TermKind, filter: string | undefined, snapshot: ContentSnapshot): Term | undefined {
  if (filter === undefined) return undefined;
  const term = snapshot.term(kind, filter) ?? snapshot.term(kind, slugOf(filter));
  if (term) return term;
  const list = kind === 'category' ? '/api/categories' : '/api/tags';
  throw new DomainError(
    websiteErrors.badRequest,
    `No published post has the ${kind} "${echo(filter)}". GET ${list} lists the accepted slugs.`,
  );
}
