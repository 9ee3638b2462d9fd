import { Module } from '@nestjs/common';
import { SiteController } from './site.controller.ts';
import { WellKnownController } from './well-known.controller.ts';

/** The identity of the site as JSON, and files at fixed paths. */
@Module({ controllers: [SiteController, WellKnownController] })
export class SiteModule {}
