import { Module } from '@nestjs/common';
import { SiteController } from './site.controller.ts';

/** The identity of the site as JSON. */
@Module({ controllers: [SiteController] })
export class SiteModule {}
