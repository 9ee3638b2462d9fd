import { ApiProperty } from '@nestjs/swagger';
import { errorResponsesDecorator } from '@gpu-observatory/service-runtime';
import { oauthErrors } from '@gpu-observatory/service-runtime/process';

/** The body of an error response of the token endpoint (RFC 6749, section 5.2). */
class OAuthErrorBody {
  @ApiProperty({ description: 'Error code.' })
  error!: string;
  @ApiProperty({ description: 'What is wrong and what is accepted.' })
  error_description!: string;
}

const document = errorResponsesDecorator(oauthErrors, { type: OAuthErrorBody, codeField: 'error' }, []);

/** Documents the error responses of the token endpoint. */
export const OAuthErrorResponses = () =>
  document(...(Object.keys(oauthErrors) as (keyof typeof oauthErrors)[]));
