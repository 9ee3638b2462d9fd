import { Module } from '@nestjs/common';
import { AssetsController } from './assets.controller.ts';

/** Stylesheets, scripts and images of the pages. */
@Module({ controllers: [AssetsController] })
export class AssetsModule {}
