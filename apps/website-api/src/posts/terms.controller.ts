import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { jsonRepresentation, NoParameters, sendRepresentation } from '@gpu-observatory/service-runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConditionalResponse } from '../negotiation/conditional-response.ts';
import { ErrorResponses, UNAVAILABLE, UNKNOWN_PARAMETER } from '../requests/error-responses.ts';
import { PublishedContent } from '../posts/published-content.ts';
import { CategoryList, TagList, withCount } from './terms.dto.ts';

/** `GET /api/categories` and `GET /api/tags`, see docs/website-api.md#categories-and-tags. */
@ApiTags('Posts')
@Controller('api')
export class TermsController {
  constructor(private readonly content: PublishedContent) {}

  @Get('categories')
  @ApiOperation({
    operationId: 'listBlogCategories',
    summary: 'All categories with their number of published posts',
    description: 'Use a `slug` as the `category` of the list of posts.',
  })
  @ConditionalResponse(CategoryList, 'Ordered by slug.')
  @ErrorResponses({ 400: UNKNOWN_PARAMETER, 503: UNAVAILABLE })
  async listBlogCategories(
    @Query() _query: NoParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const list = () =>
      jsonRepresentation({ categories: snapshot.categories.map(withCount) } satisfies CategoryList);
    sendRepresentation(request, reply, snapshot.representation('categories', list));
  }

  @Get('tags')
  @ApiOperation({
    operationId: 'listBlogTags',
    summary: 'All tags with their number of published posts',
    description: 'Use a `slug` as the `tag` of the list of posts.',
  })
  @ConditionalResponse(TagList, 'Ordered by slug.')
  @ErrorResponses({ 400: UNKNOWN_PARAMETER, 503: UNAVAILABLE })
  async listBlogTags(
    @Query() _query: NoParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const list = () => jsonRepresentation({ tags: snapshot.tags.map(withCount) } satisfies TagList);
    sendRepresentation(request, reply, snapshot.representation('tags', list));
  }
}
