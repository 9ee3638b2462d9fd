import { ApiProperty } from '@nestjs/swagger';
import { errorResponsesDecorator } from '@gpu-observatory/service-runtime';
import { fleetErrors } from '@gpu-observatory/service-runtime/process';

/** The body of every error response, see docs/errors.md. */
class ErrorBody {
  @ApiProperty({ description: 'Error code.' })
  error!: string;
  @ApiProperty({ description: 'What is wrong and what is accepted.' })
  message!: string;
}

/** Documents the error responses of a route; the listed ones apply to every route. */
export const ErrorResponses = errorResponsesDecorator(fleetErrors, { type: ErrorBody, codeField: 'error' }, [
  'invalidQuery',
  'unauthorized',
  'requestTimeout',
  'expectationFailed',
  'tooManyRequests',
  'headersTooLarge',
  'internalServerError',
  'upstreamError',
]);
