import { ApiProperty } from '@nestjs/swagger';
import { errorResponsesDecorator } from '@gpu-observatory/service-runtime';
import { accountErrors } from '@gpu-observatory/service-runtime/process';

/** The body of every error response. */
export class ErrorBody {
  @ApiProperty({ description: 'Error code.' })
  title!: string;
  @ApiProperty({ description: 'What is wrong and what is accepted.' })
  detail!: string;
}

const body = { type: ErrorBody, codeField: 'title' };
const everywhere = [
  // Malformed text, such as a NUL, is rejected anywhere in a request, even in a query string that the route ignores.
  'invalidRequest',
  'requestTimeout',
  'expectationFailed',
  'headersTooLarge',
  'internalServerError',
  'serviceUnavailable',
] as const;

/**
 * Errors of a rate-limited route with a method that can have a body. One that ignores its body rejects it too when it is too
 * large or not JSON.
 */
export const BODY_ERRORS = ['payloadTooLarge', 'unsupportedMediaType', 'tooManyRequests'] as const;

/** Documents the error responses of a route; the listed ones apply to every route. */
export const ErrorResponses = errorResponsesDecorator(accountErrors, body, everywhere);

/** Documents the error responses of a route that a browser opens: a page for `Accept: text/html`. */
export const ErrorPageResponses = errorResponsesDecorator(
  accountErrors,
  { ...body, hasPage: true },
  everywhere,
);
