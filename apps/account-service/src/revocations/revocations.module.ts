import { Module } from '@nestjs/common';
import { RevocationsController } from './revocations.controller.ts';

/** Endpoint of the revocation feed for other services, on the internal port. */
@Module({ controllers: [RevocationsController] })
export class RevocationsModule {}
