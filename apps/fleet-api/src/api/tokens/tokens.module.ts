import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { FLEET_CONFIG, RUNTIME } from '../process.module.ts';
import { TokenGuard } from './token-guard.ts';

/** Guards every route. */
@Module({
  providers: [
    { provide: TokenGuard, inject: [FLEET_CONFIG, RUNTIME], useFactory: TokenGuard.start },
    { provide: APP_GUARD, useExisting: TokenGuard },
  ],
})
export class TokensModule {}
