import { Module } from '@nestjs/common';
import { AssetsController } from '../assets/assets.controller.ts';
import { SiteController } from './site.controller.ts';
import { WellKnownController } from './well-known.controller.ts';

/** The identity of the site as JSON, and its files. */
@Module({ controllers: [SiteController, AssetsController, WellKnownController] })
export class SiteModule {}
