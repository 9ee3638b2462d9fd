import { Body, Controller, Header, Headers, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBadRequestResponse,
  ApiBody,
  ApiConflictResponse,
  ApiExtraModels,
  ApiForbiddenResponse,
  ApiHeader,
  ApiOperation,
  ApiPayloadTooLargeResponse,
  ApiServiceUnavailableResponse,
  ApiTags,
  ApiTooManyRequestsResponse,
  ApiUnauthorizedResponse,
  ApiUnsupportedMediaTypeResponse,
} from '@nestjs/swagger';
import { networkOf, RateLimit } from '@gpu-observatory/service-runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkedBody } from '../parameters/parameters.pipe.ts';
import { NoParameters } from '../parameters/no-parameters.ts';
import { AWAY, problemContent, ProblemDetails } from '../parameters/problem-details.ts';
import { ContactAccess } from './contact-access.ts';
import { ContactReceipt, ContactRequest } from './contact.models.ts';
import { ContactService } from './contact.service.ts';

const refused = (description: string) => ({ description, content: problemContent });

/** `POST /api/contact` (contract, section 4.6). */
@ApiTags('contact')
@ApiExtraModels(ProblemDetails)
@Controller('api/contact')
export class ContactController {
  constructor(
    private readonly access: ContactAccess,
    private readonly limit: RateLimit,
    private readonly contact: ContactService,
  ) {}

  @Post()
  @HttpCode(202)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'createContactRequest',
    summary: 'Ask people for a demo, or anything else',
    description:
      'From a page of an allowed origin, or with an API key that has the scope contact:write in the x-api-key header.',
  })
  @ApiHeader({ name: 'x-api-key', required: false, description: 'An API key with the scope contact:write.' })
  @ApiHeader({
    name: 'idempotency-key',
    required: false,
    description: 'Repeat a request with the same key, and it counts once. Kept for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  })
  @ApiBody({ type: ContactRequest })
  @ApiAcceptedResponse({ type: ContactReceipt, description: 'The request is stored, and will be delivered.' })
  @ApiBadRequestResponse(refused('A body that is not what it should be.'))
  @ApiUnauthorizedResponse(refused('Neither a key nor an origin, or an unknown key.'))
  @ApiForbiddenResponse(refused('A key without the scope, or an origin that is not allowed.'))
  @ApiConflictResponse(refused('The Idempotency-Key came with another request before.'))
  @ApiPayloadTooLargeResponse(refused('A body of more than 64 KiB.'))
  @ApiUnsupportedMediaTypeResponse(refused('A body that is not JSON.'))
  @ApiTooManyRequestsResponse(refused('Too many requests; Retry-After says when to come again.'))
  @ApiServiceUnavailableResponse(AWAY)
  async createContactRequest(
    @Query() _none: NoParameters,
    @Body() body: unknown,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ContactReceipt> {
    await this.limit.consume(networkOf(request.ip), reply);
    const sender = await this.access.senderOf(request.headers);
    return this.contact.submit(await checkedBody(ContactRequest, body), sender, idempotencyKey);
  }
}
