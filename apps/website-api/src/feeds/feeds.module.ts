import { Module } from '@nestjs/common';
import { PagesModule } from '../pages/pages.module.ts';
import { PostsModule } from '../posts/posts.module.ts';
import { FeedsController } from './feeds.controller.ts';

/** The feed of posts, and what search engines read. */
@Module({ imports: [PostsModule, PagesModule], controllers: [FeedsController] })
export class FeedsModule {}
