import { Module } from '@nestjs/common';
import { AnonymousRejections } from './anonymous-rejections.ts';

@Module({
  providers: [AnonymousRejections],
  exports: [AnonymousRejections],
})
export class AuditModule {}
