import { Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { requestValidation } from './request-validation.ts';

/** Validation of every request. */
@Module({ providers: [{ provide: APP_PIPE, useValue: requestValidation }] })
export class RequestsModule {}
