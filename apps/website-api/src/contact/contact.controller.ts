import { Body, Controller, Header, Headers, HttpCode, Post, Query, UseGuards } from '@nestjs/common';
import { ApiSecurity, ApiAcceptedResponse, ApiBody, ApiHeader, ApiOperation, ApiTags } from '@nestjs/swagger';
import { NoParameters, RateLimited } from '@gpu-observatory/service-runtime';
import { requestValidation } from '../requests/request-validation.ts';
import { ErrorResponses, UNAVAILABLE } from '../requests/error-responses.ts';
import { ContactSenderGuard, Sender } from './contact-sender.guard.ts';
import { ContactReceipt, ContactRequest } from './contact.dto.ts';
import { ContactService } from './contact.service.ts';

/** `POST /api/contact`, see docs/website-api.md#contact. */
@ApiTags('Contact')
@Controller('api/contact')
@RateLimited('contact')
export class ContactController {
  constructor(private readonly contact: ContactService) {}

  @Post()
  @UseGuards(ContactSenderGuard)
  @HttpCode(202)
  @Header('cache-control', 'no-store')
  @ApiOperation({
    operationId: 'createContactRequest',
    summary: 'Send a contact request, for example for a demo',
    description:
      'Needs an allowed browser origin, or an API key with the scope contact:write in the x-api-key header.',
  })
  @ApiHeader({
    name: 'idempotency-key',
    required: false,
    description: 'A repeated request with the same key is stored once. Keys expire after 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  })
  @ApiHeader({ name: 'x-api-key', required: false, description: 'An API key with the scope contact:write.' })
  @ApiSecurity({})
  @ApiSecurity('apiKey')
  @ApiBody({ type: ContactRequest })
  @ApiAcceptedResponse({
    type: ContactReceipt,
    description: 'The request is stored and will be mailed to the operators.',
  })
  @ErrorResponses({
    400: 'Invalid body.',
    401: 'No API key and no origin, or an unknown API key.',
    403: 'The API key lacks the scope, or the origin is not allowed.',
    409: 'The Idempotency-Key was used for a different request.',
    413: 'The body exceeds 64 KiB.',
    415: 'The body is not JSON.',
    429: 'Too many requests. Retry-After states when to retry.',
    503: UNAVAILABLE,
  })
  async createContactRequest(
    @Query() _query: NoParameters,
    // Validated in the handler, after the query string: Nest runs the pipes of all arguments concurrently.
    @Body() body: unknown,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Sender() sender: string,
  ): Promise<ContactReceipt> {
    return this.contact.submit(
      await requestValidation.validateBody(ContactRequest, body),
      sender,
      idempotencyKey,
    );
  }
}
