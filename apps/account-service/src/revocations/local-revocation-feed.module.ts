import { Module } from '@nestjs/common';
import { LocalRevocationFeed } from './local-revocation-feed.ts';

/** Feed of revocations from the database of this service, for the verifiers of its own tokens. */
@Module({
  providers: [LocalRevocationFeed],
  exports: [LocalRevocationFeed],
})
export class LocalRevocationFeedModule {}
