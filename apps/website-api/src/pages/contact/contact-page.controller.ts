import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { networkOf, RateLimit } from '@gpu-observatory/service-runtime/process';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ContactAccess } from '../../contact/contact-access.ts';
import { ContactRequest } from '../../contact/contact.dto.ts';
import { ContactService } from '../../contact/contact.service.ts';
import { requestValidation } from '../../requests/request-validation.ts';
import { sendMarkdown, sendPage } from '../page.ts';
import { SitePages } from '../site-pages.tsx';
import { sendRejectedForm } from './rejected-form.ts';

/** The contact page, its markdown twin and the target of its form. */
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
    sendPage(request, reply, this.pages.contact);
  }

  @Get('contact.md')
  getContactMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendMarkdown(request, reply, this.pages.contact);
  }

  @Get('contact/sent')
  getContactSent(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendPage(request, reply, this.pages.contactSent);
  }

  @Get('contact/sent.md')
  getContactSentMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendMarkdown(request, reply, this.pages.contactSent);
  }

  /** Handles the form like `POST /api/contact`, but redirects to a page, so that a reload does not resubmit. */
  @Post('contact')
  async postContact(
    @Body() body: unknown,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void reply.header('cache-control', 'no-store');
    const values = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
    let errors: ReadonlyMap<string, string> = new Map();
    try {
      await this.limit.consume(networkOf(request.ip), reply);
      const sender = await this.access.authorize(request.headers);
      const checked = await requestValidation.check(ContactRequest, values);
      if (checked.violations) {
        errors = checked.violations.messageByField;
        throw requestValidation.errorOf(checked.violations);
      }
      await this.contact.submit(checked.request, sender);
    } catch (failure) {
      sendRejectedForm(failure, request, reply, this.pages, { values, errors });
      return;
    }
    void reply.status(303).header('location', '/contact/sent').send();
  }
}
