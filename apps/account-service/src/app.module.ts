import { type DynamicModule, Module } from '@nestjs/common';
import { type Runtime, RuntimeModule } from '@gpu-observatory/service-runtime';
import { ApiKeysModule } from './api-keys/api-keys.module.ts';
import { CleanUpModule } from './clean-up/clean-up.module.ts';
import { Clock } from './clock/clock.ts';
import { AccountConfig } from './config/account.config.ts';
import { InternalServerModule } from './internal/internal-server.module.ts';
import { OAuthModule } from './oauth/oauth.module.ts';
import { SessionsModule } from './sessions/sessions.module.ts';
import { SignInModule } from './sign-in/sign-in.module.ts';
import { TokensModule } from './tokens/tokens.module.ts';
import { UsersModule } from './users/users.module.ts';
import { WorkspacesModule } from './workspaces/workspaces.module.ts';

@Module({
  imports: [
    SignInModule,
    SessionsModule,
    UsersModule,
    WorkspacesModule,
    ApiKeysModule,
    OAuthModule,
    TokensModule,
    CleanUpModule,
    InternalServerModule,
  ],
})
export class AppModule {
  static with(config: AccountConfig, runtime: Runtime, clock: Clock): DynamicModule {
    const values = [
      { provide: AccountConfig, useValue: config },
      { provide: Clock, useValue: clock },
    ];
    return { module: AppModule, imports: [RuntimeModule.with(runtime, values)] };
  }
}
