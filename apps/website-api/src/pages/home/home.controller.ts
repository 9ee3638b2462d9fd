import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { deliverMarkdown, deliverPage } from '../page.ts';
import { SitePages } from '../site-pages.ts';

/** `GET /` and its twin `GET /index.md`. Unknown query parameters do no harm: links carry all kinds of them. */
@ApiExcludeController()
@Controller()
export class HomeController {
  constructor(private readonly pages: SitePages) {}

  @Get()
  getHome(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliverPage(request, reply, this.pages.home);
  }

  @Get('index.md')
  getHomeMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliverMarkdown(request, reply, this.pages.home);
  }
}
