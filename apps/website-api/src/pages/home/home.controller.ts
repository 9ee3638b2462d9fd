import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SiteConfig } from '../../config/site.config.ts';
import { PAGE_TYPES } from '../../negotiation/preferences.ts';
import { Representation } from '../../negotiation/representation.ts';
import { deliverMarkdown, deliverPage, type Page } from '../page.ts';
import { homeContent } from './home-content.ts';
import { homeHtml } from './home.html.ts';
import { homeMarkdown } from './home.markdown.ts';

/** `GET /` and its twin `GET /index.md`. Unknown query parameters do no harm: links carry all kinds of them. */
@ApiExcludeController()
@Controller()
export class HomeController {
  private readonly page: Page;

  constructor(config: SiteConfig) {
    const content = homeContent(config);
    const [htmlType, markdownType] = PAGE_TYPES;
    this.page = {
      path: '/',
      markdownPath: '/index.md',
      html: new Representation(htmlType, homeHtml(content)),
      markdown: new Representation(markdownType, homeMarkdown(content)),
    };
  }

  @Get()
  getHome(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliverPage(request, reply, this.page);
  }

  @Get('index.md')
  getHomeMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliverMarkdown(request, reply, this.page);
  }
}
