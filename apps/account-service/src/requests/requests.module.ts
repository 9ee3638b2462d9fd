import { Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { AllowedOrigins } from './allowed-origins.ts';
import { RateLimits } from '@gpu-observatory/service-runtime';
import { rateLimits } from './rate-limits.ts';
import { requestValidation } from './request-validation.ts';

/** Validation of every request, rate limits and allowed origins. */
@Module({
  providers: [{ provide: APP_PIPE, useValue: requestValidation }, rateLimits, AllowedOrigins],
  exports: [RateLimits, AllowedOrigins],
})
export class RequestsModule {}
