import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import {
  ApiBadRequestResponse,
  ApiExtraModels,
  ApiOperation,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConditionalAnswer } from '../negotiation/conditional-answer.ts';
import { deliver } from '../negotiation/deliver.ts';
import { jsonRepresentation } from '../negotiation/representation.ts';
import { NoParameters } from '../parameters/no-parameters.ts';
import { AWAY, problemContent, ProblemDetails } from '../parameters/problem-details.ts';
import { PublishedContent } from '../posts/published-content.ts';
import { CategoryList, TagList, withCount } from './terms.models.ts';

const UNKNOWN_PARAMETER = {
  description: 'A query parameter that is not known here.',
  content: problemContent,
};

/** `GET /api/categories` and `GET /api/tags` (contract, section 4.6). */
@ApiTags('posts')
@ApiExtraModels(ProblemDetails)
@Controller('api')
export class TermsController {
  constructor(private readonly content: PublishedContent) {}

  @Get('categories')
  @ApiOperation({
    operationId: 'listBlogCategories',
    summary: 'All categories with their published posts counted',
  })
  @ConditionalAnswer(CategoryList, 'In the order of their slugs.')
  @ApiBadRequestResponse(UNKNOWN_PARAMETER)
  @ApiServiceUnavailableResponse(AWAY)
  async listBlogCategories(
    @Query() _none: NoParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const list = () =>
      jsonRepresentation({ categories: snapshot.categories.map(withCount) } satisfies CategoryList);
    deliver(request, reply, snapshot.form('categories', list));
  }

  @Get('tags')
  @ApiOperation({ operationId: 'listBlogTags', summary: 'All tags with their published posts counted' })
  @ConditionalAnswer(TagList, 'In the order of their slugs.')
  @ApiBadRequestResponse(UNKNOWN_PARAMETER)
  @ApiServiceUnavailableResponse(AWAY)
  async listBlogTags(
    @Query() _none: NoParameters,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const list = () => jsonRepresentation({ tags: snapshot.tags.map(withCount) } satisfies TagList);
    deliver(request, reply, snapshot.form('tags', list));
  }
}
