import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { networkOf, RateLimit } from '@gpu-observatory/service-runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ContactAccess } from '../../contact/contact-access.ts';
import { ContactRequest } from '../../contact/contact.models.ts';
import { ContactService } from '../../contact/contact.service.ts';
import { checkedBody } from '../../parameters/parameters.pipe.ts';
import { deliverMarkdown, deliverPage } from '../page.ts';
import { SitePages } from '../site-pages.ts';
import { answerRefusedForm } from './refused-form.ts';

/** `GET /contact` and its twin: how to reach people; and what the form there sends. */
@ApiExcludeController()
@Controller()
export class ContactPageController {
  constructor(
    private readonly pages: SitePages,
    private readonly limit: RateLimit,
    private readonly access: ContactAccess,
    private readonly contact: ContactService,
  ) {}

  @Get('contact')
  getContact(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliverPage(request, reply, this.pages.contact);
  }

  @Get('contact.md')
  getContactMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliverMarkdown(request, reply, this.pages.contact);
  }

  @Get('contact/sent')
  getContactSent(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliverPage(request, reply, this.pages.contactSent);
  }

  @Get('contact/sent.md')
  getContactSentMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliverMarkdown(request, reply, this.pages.contactSent);
  }

  /** What `POST /api/contact` does, for a form: the answer is a page, and reloading it sends nothing again. */
  @Post('contact')
  async postContact(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void reply.header('cache-control', 'no-store');
    try {
      await this.limit.consume(networkOf(request.ip), reply);
      const sender = await this.access.senderOf(request.headers);
      await this.contact.submit(await checkedBody(ContactRequest, body), sender);
    } catch (failure) {
      answerRefusedForm(failure, request, reply, this.pages);
      return;
    }
    void reply.status(303).header('location', '/contact/sent').send();
  }
}
