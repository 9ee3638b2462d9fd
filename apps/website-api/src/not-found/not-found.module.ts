import { Module } from '@nestjs/common';
import { PagesModule } from '../pages/pages.module.ts';
import { PostsModule } from '../posts/posts.module.ts';
import { NotFoundResponse } from './not-found-response.ts';

/** The response to unknown paths. */
@Module({ imports: [PostsModule, PagesModule], providers: [NotFoundResponse] })
export class NotFoundModule {}
