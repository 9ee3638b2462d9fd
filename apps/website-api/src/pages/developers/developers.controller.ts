import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { deliverMarkdown, deliverPage } from '../page.ts';
import { SitePages } from '../site-pages.ts';

/** `GET /developers` and its twin: all that an outside developer needs (contract, section 1). */
@ApiExcludeController()
@Controller()
export class DevelopersController {
  constructor(private readonly pages: SitePages) {}

  @Get('developers')
  getDevelopers(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliverPage(request, reply, this.pages.developers);
  }

  @Get('developers.md')
  getDevelopersMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliverMarkdown(request, reply, this.pages.developers);
  }
}
