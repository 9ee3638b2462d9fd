import { ApiProperty } from '@nestjs/swagger';
import { accountErrors } from '@gpu-observatory/error-envelopes';
import { errorResponsesDecorator } from '@gpu-observatory/service-runtime';

/** The body of every error response. */
export class ErrorBody {
  @ApiProperty({ description: 'Error code.' })
  title!: string;
  @ApiProperty({ description: 'What is wrong and what is accepted.' })
  detail!: string;
}

/** Documents the error responses of a route; the listed ones apply to every route. */
export const ErrorResponses = errorResponsesDecorator(
  accountErrors,
  { type: ErrorBody, codeField: 'title' },
  [
    // Malformed text, such as a NUL, is rejected anywhere in a request, even in a query string that the route ignores.
    'invalidRequest',
    'internalServerError',
    'serviceUnavailable',
  ],
);
