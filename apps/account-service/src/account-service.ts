import fastifyCookie from '@fastify/cookie';
import type { ServiceDefinition } from '@gpu-observatory/service-runtime';
import { accountEnvelope } from '@gpu-observatory/service-runtime/process';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.ts';
import { type Clock, systemClock } from './clock/clock.ts';
import { OAuthErrorFilter } from './oauth/oauth-error.filter.ts';
import { examples } from './openapi/examples.ts';
import { type AccountConfig, readConfig } from './config/account.config.ts';

/** Returns the definition of account-service for the service runtime. */
export function accountService(clock: Clock = systemClock): ServiceDefinition<AccountConfig> {
  return {
    name: 'account-service',
    writes: true,
    readConfig,
    module: (config, runtime) => AppModule.with(config, runtime, clock),
    envelope: accountEnvelope,
    reference: ({ tokens }) => ({ publicUrl: tokens.issuer }),
    openApi: {
      title: 'GPU Observatory account service',
      description: 'Sign-in, sessions, the signed-in user, workspaces and API keys.',
      version: '0.1.0',
      credentials: { bearer: true },
      tags: {
        'Sign-in': 'Redirects of a browser to the provider and back, ending with an authorization code.',
        Sessions: 'Tokens or cookies for an authorization code, their refresh and their end.',
        User: 'The signed-in user.',
        Workspaces: 'Workspaces of the caller, with the role in each.',
        'API keys':
          'API keys of agents and other programs. A program exchanges a key that may read for an access token.',
        'Access tokens for programs':
          'OAuth 2.0 client credentials grant for API keys, for the fleet data API.',
        'Signing keys': 'Public keys that verify access tokens.',
      },
      examples,
    },
    extend: async (application) => {
      await application.register(fastifyCookie);
      const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
      application.get(OAuthErrorFilter).handleEarlyErrors(server);
    },
  };
}
