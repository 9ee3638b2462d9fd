import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendMarkdown, sendPage } from '../page.ts';
import { SitePages } from '../site-pages.tsx';

/** `GET /developers` and its markdown twin: the guide for API clients. */
@ApiExcludeController()
@Controller()
export class DevelopersController {
  constructor(private readonly pages: SitePages) {}

  @Get('developers')
  getDevelopers(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendPage(request, reply, this.pages.developers);
  }

  @Get('developers.md')
  getDevelopersMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendMarkdown(request, reply, this.pages.developers);
  }
}
