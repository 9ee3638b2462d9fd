import { Module } from '@nestjs/common';
import { LocalRevocationFeed } from './local-revocation-feed.ts';

@Module({
  providers: [LocalRevocationFeed],
  exports: [LocalRevocationFeed],
})
export class RevocationsModule {}
