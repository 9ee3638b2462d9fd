import { Module } from '@nestjs/common';
import { HttpCacheModule } from '../http-cache/http-cache.module.ts';
import { TokensModule } from '../tokens/tokens.module.ts';
import { ListResponder } from './list-responder.ts';
import { RunningExports } from './running-exports.ts';

/** Exports of lists. */
@Module({
  imports: [HttpCacheModule, TokensModule],
  providers: [ListResponder, RunningExports],
  exports: [ListResponder, HttpCacheModule],
})
export class ExportsModule {}
