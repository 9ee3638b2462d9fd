import { Module } from '@nestjs/common';
import { PagesModule } from '../pages/pages.module.ts';
import { PostsModule } from '../posts/posts.module.ts';
import { AgentsController } from './agents.controller.ts';

/** Documents for AI agents. */
@Module({ imports: [PostsModule, PagesModule], controllers: [AgentsController] })
export class AgentsModule {}
