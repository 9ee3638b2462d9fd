import {
  applyDecorators,
  Controller,
  Get,
  Query,
  Res,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiFoundResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import { PublicRoute } from '@gpu-observatory/token-verification/guard';
import type { FastifyReply } from 'fastify';
import { ErrorPageResponses } from '../requests/error-responses.ts';
import { RateLimited } from '../requests/rate-limits.ts';
import { ErrorPage } from './error-page.filter.ts';
import { HeadRequests } from './head-requests.ts';
import { ReturnFromProvider, StartAtProvider } from './provider.guards.ts';
import { SignInDeniedFilter } from './sign-in-denied.filter.ts';
import { SignInQuery } from './sign-in.dto.ts';
import { SignIn } from './sign-in.service.ts';

const Start = (providerName: string) =>
  applyDecorators(
    RateLimited('sign-in'),
    ApiOperation({
      summary: `Start a sign-in with ${providerName}`,
      description:
        'For a browser. Redirects to the provider, and from there to `<frontend_url>/auth/callback?code=…`, or `?error=…` when ' +
        'the sign-in fails.',
    }),
    ApiFoundResponse({ description: 'To the provider.' }),
    ErrorPageResponses('invalidFrontendUrl', 'notFound', 'tooManyRequests'),
  );

const Callback = (providerName: string) =>
  applyDecorators(
    RateLimited('callback'),
    ApiOperation({
      summary: `Receive the redirect from ${providerName}`,
      description: 'Works only in the browser that started the sign-in. Redirects to the frontend.',
    }),
    ...['state', 'code', 'error'].map((name) => ApiQuery({ name, required: false })),
    ApiFoundResponse({ description: 'To the frontend.' }),
    ErrorPageResponses(
      'domainNotAllowed',
      'googleWorkspaceRequired',
      'forbidden',
      'notFound',
      'tooManyRequests',
    ),
  );

/**
 * Signs users in through a provider (`docs/account-service.md#sign-in`). All handlers take the reply: without it, Nest would send
 * a second response to HEAD.
 */
@ApiTags('Sign-in')
@PublicRoute()
@UseInterceptors(HeadRequests)
@UseFilters(ErrorPage, SignInDeniedFilter)
@Controller('api/v1/auth')
export class SignInController {
  constructor(private readonly signIn: SignIn) {}

  @Get('github')
  @UseGuards(StartAtProvider('github'))
  @Start('GitHub')
  signInWithGithub(@Query() _query: SignInQuery, @Res() _reply: FastifyReply): void {
    // The guard redirects to the provider.
  }

  @Get('google')
  @UseGuards(StartAtProvider('google'))
  @Start('Google')
  signInWithGoogle(@Query() _query: SignInQuery, @Res() _reply: FastifyReply): void {
    // The guard redirects to the provider.
  }

  @Get('oidc')
  @UseGuards(StartAtProvider('oidc'))
  @Start('OpenID Connect')
  signInWithOidc(@Query() _query: SignInQuery, @Res() _reply: FastifyReply): void {
    // The guard redirects to the provider.
  }

  @Get('github/callback')
  @UseGuards(ReturnFromProvider('github'))
  @Callback('GitHub')
  async returnFromGithub(@Res() reply: FastifyReply): Promise<void> {
    await this.signIn.complete(reply);
  }

  @Get('google/callback')
  @UseGuards(ReturnFromProvider('google'))
  @Callback('Google')
  async returnFromGoogle(@Res() reply: FastifyReply): Promise<void> {
    await this.signIn.complete(reply);
  }

  @Get('oidc/callback')
  @UseGuards(ReturnFromProvider('oidc'))
  @Callback('OpenID Connect')
  async returnFromOidc(@Res() reply: FastifyReply): Promise<void> {
    await this.signIn.complete(reply);
  }
}
