import { Module } from '@nestjs/common';
import { CleanUpTimer } from './clean-up-timer.ts';

@Module({ providers: [CleanUpTimer] })
export class CleanUpModule {}
