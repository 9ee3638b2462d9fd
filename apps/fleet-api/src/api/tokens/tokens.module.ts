import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { FLEET_CONFIG, RUNTIME } from '../process.module.ts';
import { ResourceMetadataController } from './resource-metadata.controller.ts';
import { TokenGuard } from './token-guard.ts';

/** Guards every route, and describes to OAuth clients how. */
@Module({
  controllers: [ResourceMetadataController],
  exports: [TokenGuard],
  providers: [
    { provide: TokenGuard, inject: [FLEET_CONFIG, RUNTIME], useFactory: TokenGuard.start },
    { provide: APP_GUARD, useExisting: TokenGuard },
  ],
})
export class TokensModule {}
