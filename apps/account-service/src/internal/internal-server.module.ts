import { Module } from '@nestjs/common';
import { InternalServer } from './internal-server.ts';

@Module({ providers: [InternalServer] })
export class InternalServerModule {}
