import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, APP_PIPE } from '@nestjs/core';
import { type Runtime, RuntimeModule } from '@gpu-observatory/service-runtime';
import { IntrospectionModule } from '../api-keys/introspection.module.ts';
import { AccountConfig } from '../config/account.config.ts';
import { requestValidation } from '../requests/request-validation.ts';
import { RevocationsModule } from '../revocations/revocations.module.ts';
import { ServiceCredentialGuard } from './service-credential.guard.ts';

/** Routes of the internal port. Every one requires the service credential. */
@Module({
  imports: [RevocationsModule, IntrospectionModule],
  providers: [
    { provide: APP_GUARD, useClass: ServiceCredentialGuard },
    { provide: APP_PIPE, useValue: requestValidation },
  ],
})
export class InternalModule {
  static with(config: AccountConfig, runtime: Runtime): DynamicModule {
    const values = [{ provide: AccountConfig, useValue: config }];
    return { module: InternalModule, imports: [RuntimeModule.with(runtime, values)] };
  }
}
