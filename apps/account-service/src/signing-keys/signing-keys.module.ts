import { Module } from '@nestjs/common';
import { JwksController } from './jwks.controller.ts';
import { SigningKeys } from './signing-keys.service.ts';

@Module({
  controllers: [JwksController],
  providers: [SigningKeys],
  exports: [SigningKeys],
})
export class SigningKeysModule {}
