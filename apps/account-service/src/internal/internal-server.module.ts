import { Module } from '@nestjs/common';
import { InternalServer } from './internal-server.ts';

/** Starts the server of the internal port together with the public one. Its routes are in `InternalModule`. */
@Module({ providers: [InternalServer] })
export class InternalServerModule {}
