import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { jsonRepresentation, NoParameters, type Representation } from '@gpu-observatory/service-runtime';
import { ApiConditionalResponse } from '../negotiation/api-conditional-response.ts';
import { ErrorResponses, UNAVAILABLE, UNKNOWN_PARAMETER } from '../requests/error-responses.ts';
import { PublishedContent } from './published-content.ts';
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
  @ApiConditionalResponse(CategoryList, 'Ordered by slug.')
  @ErrorResponses({ 400: UNKNOWN_PARAMETER, 503: UNAVAILABLE })
  async listBlogCategories(@Query() _query: NoParameters): Promise<Representation> {
    const snapshot = await this.content.current();
    return snapshot.representation('categories', () =>
      jsonRepresentation({ categories: snapshot.categories.map(withCount) } satisfies CategoryList),
    );
  }

  @Get('tags')
  @ApiOperation({
    operationId: 'listBlogTags',
    summary: 'All tags with their number of published posts',
    description: 'Use a `slug` as the `tag` of the list of posts.',
  })
  @ApiConditionalResponse(TagList, 'Ordered by slug.')
  @ErrorResponses({ 400: UNKNOWN_PARAMETER, 503: UNAVAILABLE })
  async listBlogTags(@Query() _query: NoParameters): Promise<Representation> {
    const snapshot = await this.content.current();
    return snapshot.representation('tags', () =>
      jsonRepresentation({ tags: snapshot.tags.map(withCount) } satisfies TagList),
    );
  }
}
