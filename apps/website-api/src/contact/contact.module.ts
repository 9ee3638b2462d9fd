import { Module } from '@nestjs/common';
import { RateLimits } from '@gpu-observatory/service-runtime';
import { ContactController } from './contact.controller.ts';
import { ContactMailer } from './contact-mailer.ts';
import { ContactOutbox } from './contact-outbox.ts';
import { ContactService } from './contact.service.ts';
import { KeyIntrospection } from './key-introspection.ts';
import { rateLimits } from './rate-limits.ts';

/** Contact requests: authorization, storage and the mail outbox. */
@Module({
  controllers: [ContactController],
  providers: [rateLimits, KeyIntrospection, ContactMailer, ContactOutbox, ContactService],
  exports: [RateLimits, KeyIntrospection, ContactService],
})
export class ContactModule {}
