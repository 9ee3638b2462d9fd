import { type DynamicModule, Module } from '@nestjs/common';
import { type Runtime } from '@gpu-observatory/service-runtime';
import { RateLimit, websiteErrors } from '@gpu-observatory/service-runtime/process';
import { ContactConfig } from '../config/contact.config.ts';
import { ContactAccess } from './contact-access.ts';
import { ContactController } from './contact.controller.ts';
import { ContactMailer } from './contact-mailer.ts';
import { ContactOutbox } from './contact-outbox.ts';
import { ContactService } from './contact.service.ts';
import { KeyIntrospection } from './key-introspection.ts';

/** Per client network. */
const REQUESTS_PER_MINUTE = 30;

/** Contact requests: authorization, storage and the mail outbox. */
@Module({})
export class ContactModule {
  static compose(config: ContactConfig, { database, logger }: Runtime): DynamicModule {
    const { smtpUrl } = config;
    const mailer = smtpUrl === undefined ? undefined : new ContactMailer(smtpUrl, config);
    const outbox = new ContactOutbox(database, mailer, logger);
    const limit = new RateLimit(database, {
      name: 'contact',
      schema: 'website',
      points: REQUESTS_PER_MINUTE,
      windowSeconds: 60,
      enabled: config.rateLimits,
      errorKind: websiteErrors.tooManyRequests,
    });
    return {
      module: ContactModule,
      controllers: [ContactController],
      providers: [
        { provide: ContactOutbox, useValue: outbox },
        { provide: RateLimit, useValue: limit },
        { provide: ContactAccess, useValue: new ContactAccess(config, new KeyIntrospection(config)) },
        { provide: ContactService, useValue: new ContactService(database, outbox) },
      ],
      exports: [RateLimit, ContactAccess, ContactService],
    };
  }
}
