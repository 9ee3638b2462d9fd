import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD, APP_PIPE } from '@nestjs/core';
import { Database } from '@gpu-observatory/service-runtime/process';
import { IntrospectionController } from '../api-keys/introspection.controller.ts';
import { KeyCheck } from '../api-keys/key-check.ts';
import type { Clock } from '../clock/clock.ts';
import type { ServiceCredential } from '../config/internal.config.ts';
import { requestValidation } from '../requests/request-validation.ts';
import { RevocationsController } from '../revocations/revocations.controller.ts';
import { ServiceCredentialGuard } from './service-credential.guard.ts';

/** Routes of the internal port. Every one requires the service credential. */
@Module({})
export class InternalModule {
  static compose(credentials: ServiceCredential[], database: Database, clock: Clock): DynamicModule {
    return {
      module: InternalModule,
      controllers: [RevocationsController, IntrospectionController],
      providers: [
        { provide: Database, useValue: database },
        { provide: KeyCheck, useValue: new KeyCheck(database, clock) },
        { provide: APP_GUARD, useValue: new ServiceCredentialGuard(credentials) },
        { provide: APP_PIPE, useValue: requestValidation },
      ],
    };
  }
}
