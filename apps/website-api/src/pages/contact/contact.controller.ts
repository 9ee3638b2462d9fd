import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { deliverMarkdown, deliverPage } from '../page.ts';
import { SitePages } from '../site-pages.ts';

/** `GET /contact` and its twin: how to reach people. */
@ApiExcludeController()
@Controller()
export class ContactPageController {
  constructor(private readonly pages: SitePages) {}

  @Get('contact')
  getContact(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliverPage(request, reply, this.pages.contact);
  }

  @Get('contact.md')
  getContactMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliverMarkdown(request, reply, this.pages.contact);
  }
}
