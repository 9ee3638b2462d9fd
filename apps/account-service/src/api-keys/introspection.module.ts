import { Module } from '@nestjs/common';
import { IntrospectionController } from './introspection.controller.ts';
import { KeyCheck } from './key-check.ts';

/** Check of API keys for other services, on the internal port. */
@Module({ controllers: [IntrospectionController], providers: [KeyCheck] })
export class IntrospectionModule {}
