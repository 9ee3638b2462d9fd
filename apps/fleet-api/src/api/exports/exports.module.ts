import { Module } from '@nestjs/common';
import type { Runtime } from '@gpu-observatory/service-runtime';
import { HttpCacheModule } from '../http-cache/http-cache.module.ts';
import { RUNTIME } from '../process.module.ts';
import { TokensModule } from '../tokens/tokens.module.ts';
import { RunningExports } from './running-exports.ts';

/** Exports of lists. */
@Module({
  imports: [HttpCacheModule, TokensModule],
  providers: [
    {
      provide: RunningExports,
      inject: [RUNTIME],
      useFactory: (runtime: Runtime) => RunningExports.withMetrics(runtime),
    },
  ],
  exports: [RunningExports, HttpCacheModule, TokensModule],
})
export class ExportsModule {}
