import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DependencyUnavailable } from '@gpu-observatory/service-runtime/process';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ContentSnapshot } from '../../posts/content-snapshot.ts';
import { PublishedContent } from '../../posts/published-content.ts';
import { sendMarkdown, sendPage } from '../page.ts';
import { SitePages } from '../site-pages.tsx';

/** `GET /` and its markdown twin. Unknown query parameters are ignored, because links carry tracking parameters. */
@ApiExcludeController()
@Controller()
export class HomeController {
  constructor(
    private readonly content: PublishedContent,
    private readonly pages: SitePages,
  ) {}

  @Get()
  async getHome(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendPage(request, reply, this.pages.home(await this.snapshot()));
  }

  @Get('index.md')
  async getHomeMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    sendMarkdown(request, reply, this.pages.home(await this.snapshot()));
  }

  /** Returns undefined if the database is unavailable: the home page renders without posts. */
  private snapshot(): Promise<ContentSnapshot | undefined> {
    return this.content.current().catch((failure: unknown) => {
      if (failure instanceof DependencyUnavailable) return undefined;
      throw failure;
    });
  }
}
