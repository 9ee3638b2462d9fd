import { Module } from '@nestjs/common';
import { AuthorizationCodes } from './authorization-codes.service.ts';

@Module({
  providers: [AuthorizationCodes],
  exports: [AuthorizationCodes],
})
export class AuthorizationCodesModule {}
