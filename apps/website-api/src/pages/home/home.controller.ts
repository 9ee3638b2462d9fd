import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ContentSnapshot } from '../../posts/content-snapshot.ts';
import { PublishedContent } from '../../posts/published-content.ts';
import { deliverMarkdown, deliverPage } from '../page.ts';
import { SitePages } from '../site-pages.ts';

/** `GET /` and its twin `GET /index.md`. Unknown query parameters do no harm: links carry all kinds of them. */
@ApiExcludeController()
@Controller()
export class HomeController {
  constructor(
    private readonly content: PublishedContent,
    private readonly pages: SitePages,
  ) {}

  @Get()
  async getHome(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    deliverPage(request, reply, this.pages.home(await this.snapshot()));
  }

  @Get('index.md')
  async getHomeMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    deliverMarkdown(request, reply, this.pages.home(await this.snapshot()));
  }

  /** The home page can do without posts: it says what the service is even while the database is away. */
  private snapshot(): Promise<ContentSnapshot | undefined> {
    return this.content.current().catch((failure: unknown) => {
      if (failure instanceof DependencyUnavailable) return undefined;
      throw failure;
    });
  }
}
