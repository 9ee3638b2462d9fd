import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiExtraModels,
  ApiNotFoundResponse,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import { DomainError, websiteErrors } from '@gpu-observatory/error-envelopes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SiteConfig } from '../config/site.config.ts';
import { ConditionalAnswer } from '../negotiation/conditional-answer.ts';
import { deliver } from '../negotiation/deliver.ts';
import { jsonRepresentation } from '../negotiation/representation.ts';
import { NoParameters } from '../parameters/no-parameters.ts';
import { AWAY, problemContent, ProblemDetails } from '../parameters/problem-details.ts';
import type { ContentSnapshot } from './content-snapshot.ts';
import { DEFAULT_LIMIT, PostList, PostsQuery, postSummary, SinglePost } from './posts.models.ts';
import { PublishedContent } from './published-content.ts';

/** `GET /api/posts` and `GET /api/posts/{slug}` (contract, section 4.6). */
@ApiTags('posts')
@ApiExtraModels(ProblemDetails)
@Controller('api/posts')
export class PostsController {
  constructor(
    private readonly content: PublishedContent,
    private readonly site: SiteConfig,
  ) {}

  @Get()
  @ApiOperation({ operationId: 'listBlogPosts', summary: 'Published posts, newest first' })
  @ConditionalAnswer(PostList, 'One stretch of the list.')
  @ApiBadRequestResponse({
    description: 'A parameter that is not known or not valid.',
    content: problemContent,
  })
  @ApiServiceUnavailableResponse(AWAY)
  async listBlogPosts(
    @Query() query: PostsQuery,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const { category, tag, featured, limit, offset } = query;
    const name = `posts ${JSON.stringify([category, tag, featured, limit, offset])}`;
    const list = snapshot.form(name, () => jsonRepresentation(this.list(snapshot, query)));
    deliver(request, reply, list);
  }

  @Get(':slug')
  @ApiOperation({ operationId: 'getBlogPost', summary: 'One post with its whole text as markdown' })
  @ConditionalAnswer(SinglePost, 'The post.')
  @ApiBadRequestResponse({
    description: 'A query parameter that is not known here.',
    content: problemContent,
  })
  @ApiNotFoundResponse({ description: 'There is no such post, or not yet.', content: problemContent })
  @ApiServiceUnavailableResponse(AWAY)
  async getBlogPost(
    @Param('slug') slug: string,
    @Query() _none: NoParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const row = snapshot.post(slug);
    if (!row) {
      throw new DomainError(
        websiteErrors.notFound,
        'There is no post with this slug; GET /api/posts lists those there are.',
      );
    }
    const post = snapshot.form(`post ${slug}`, () =>
      jsonRepresentation({ post: { ...postSummary(row, this.site.siteUrl), body: row.body } }),
    );
    deliver(request, reply, post);
  }

  private list(snapshot: ContentSnapshot, query: PostsQuery): PostList {
    const limit = Number(query.limit ?? DEFAULT_LIMIT);
    const offset = Math.min(Number(query.offset ?? 0), Number.MAX_SAFE_INTEGER);
    const chosen = snapshot.posts.filter(
      (post) =>
        (query.category === undefined || post.category_slug === query.category) &&
        (query.tag === undefined || post.tag_slugs.includes(query.tag)) &&
        (query.featured === undefined || post.featured === (query.featured === 'true')),
    );
    return {
      posts: chosen.slice(offset, offset + limit).map((post) => postSummary(post, this.site.siteUrl)),
      total: chosen.length,
      limit,
      offset,
    };
  }
}
