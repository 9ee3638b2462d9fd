import { Module } from '@nestjs/common';
import { PostsController } from './posts.controller.ts';
import { PublishedContent } from './published-content.ts';
import { TermsController } from './terms.controller.ts';

/** Published posts with their categories and tags, in memory and as JSON. */
@Module({
  controllers: [PostsController, TermsController],
  providers: [PublishedContent],
  exports: [PublishedContent],
})
export class PostsModule {}
