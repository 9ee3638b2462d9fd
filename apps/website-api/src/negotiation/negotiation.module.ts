import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { RepresentationInterceptor } from './representation.interceptor.ts';

/** Entity tags and 304 responses of all handlers. */
@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: RepresentationInterceptor }] })
export class NegotiationModule {}
