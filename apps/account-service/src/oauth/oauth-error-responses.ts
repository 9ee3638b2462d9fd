import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { errorResponsesDecorator } from '@gpu-observatory/service-runtime';
import { accountErrors, oauthErrors } from '@gpu-observatory/service-runtime/process';
import { ErrorBody } from '../requests/error-responses.ts';

/** The body of an error response of the token endpoint (RFC 6749, section 5.2). */
class OAuthErrorBody {
  @ApiProperty({ description: 'Error code.' })
  error!: string;
  @ApiProperty({ description: 'What is wrong and what is accepted.' })
  error_description!: string;
}

const { code } = oauthErrors.invalidRequest;
const catalog = {
  ...oauthErrors,
  tooLarge: { code, status: accountErrors.payloadTooLarge.status },
  notAForm: { code, status: accountErrors.unsupportedMediaType.status },
} as const;
const names = Object.keys(catalog) as (keyof typeof catalog)[];
const ofEndpoint = errorResponsesDecorator(catalog, { type: OAuthErrorBody, codeField: 'error' }, names);

/** Before the request reaches the endpoint. */
const beforeRouting = errorResponsesDecorator(accountErrors, { type: ErrorBody, codeField: 'title' }, [
  'requestTimeout',
  'expectationFailed',
  'headersTooLarge',
]);

/** Documents the error responses of the token endpoint. */
export const OAuthErrorResponses = () => applyDecorators(ofEndpoint(), beforeRouting());
