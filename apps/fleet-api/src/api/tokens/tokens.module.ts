import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Runtime } from '@gpu-observatory/service-runtime';
import { FleetConfig } from '../../config/fleet.config.ts';
import { ResourceMetadataController } from './resource-metadata.controller.ts';
import { TokenGuard } from './token-guard.ts';

/** Guards every route, and serves the metadata with which OAuth clients get access tokens. */
@Module({
  controllers: [ResourceMetadataController],
  exports: [TokenGuard],
  providers: [
    { provide: TokenGuard, inject: [FleetConfig, Runtime], useFactory: TokenGuard.start },
    { provide: APP_GUARD, useExisting: TokenGuard },
  ],
})
export class TokensModule {}
