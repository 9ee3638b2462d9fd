import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { RepresentationInterceptor } from '../negotiation/representation.interceptor.ts';
import { requestValidation } from './request-validation.ts';

/** Validation of every request, and entity tags of every response. */
@Module({
  providers: [
    { provide: APP_PIPE, useValue: requestValidation },
    { provide: APP_INTERCEPTOR, useClass: RepresentationInterceptor },
  ],
})
export class RequestsModule {}
