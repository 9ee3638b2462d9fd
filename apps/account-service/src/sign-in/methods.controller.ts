import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { NoParameters } from '@gpu-observatory/service-runtime';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import { AccountConfig } from '../config/account.config.ts';
import { ErrorResponses } from '../requests/error-responses.ts';
import { Providers } from './strategies/providers.ts';

class SignInMethod {
  @ApiProperty({ example: 'github' })
  id!: string;
  @ApiProperty({ enum: ['oauth', 'password'] })
  type!: 'oauth' | 'password';
  @ApiProperty({ example: 'GitHub' })
  name!: string;
  @ApiProperty({
    format: 'uri',
    description:
      'For `oauth`, open it in a browser with `frontend_url`. For `password`, send a POST request.',
  })
  url!: string;
}

class SignInMethods {
  @ApiProperty({ type: [SignInMethod] })
  methods!: SignInMethod[];
}

/** Lists the enabled sign-in methods (`docs/account-service.md#sign-in-methods`). */
@ApiTags('Sign-in')
@PublicRoute()
@Controller('api/v1/auth/methods')
export class MethodsController {
  constructor(
    private readonly config: AccountConfig,
    private readonly providers: Providers,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the enabled sign-in methods',
    description: 'The URL of each method starts a sign-in; append `frontend_url` to it.',
  })
  @ApiOkResponse({ type: SignInMethods, description: 'The enabled methods.' })
  @ErrorResponses()
  listSignInMethods(@Query() _query: NoParameters): SignInMethods {
    const base = `${this.config.tokens.issuer}/api/v1/auth`;
    const methods: SignInMethod[] = this.providers.enabled.map(({ id, title }) => ({
      id,
      type: 'oauth',
      name: title,
      url: `${base}/${id}`,
    }));
    if (this.config.passwordSignIn) {
      const name = 'Email and password';
      methods.push({ id: 'password', type: 'password', name, url: `${base}/password` });
    }
    return { methods };
  }
}
