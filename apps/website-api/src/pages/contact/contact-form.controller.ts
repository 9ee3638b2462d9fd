import { Body, Controller, Header, Post, Redirect, UseFilters, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AcceptsForm, RateLimited } from '@gpu-observatory/service-runtime';
import { ContactRequest } from '../../contact/contact.dto.ts';
import { ContactService } from '../../contact/contact.service.ts';
import { ContactSenderGuard, Sender } from '../../contact/contact-sender.guard.ts';
import { requestValidation } from '../../requests/request-validation.ts';
import { RejectedFormFilter } from './rejected-form.filter.ts';

/** Handles the contact form like `POST /api/contact`, but redirects to a page, so that a reload does not resubmit. */
@ApiExcludeController()
@Controller('contact')
@RateLimited('contact')
@UseFilters(RejectedFormFilter)
export class ContactFormController {
  constructor(private readonly contact: ContactService) {}

  @Post()
  @AcceptsForm()
  @UseGuards(ContactSenderGuard)
  @Header('cache-control', 'no-store')
  @Redirect('/contact/sent', 303)
  async postContact(@Body() body: unknown, @Sender() sender: string): Promise<void> {
    const request = await requestValidation.validateBody(ContactRequest, body ?? {});
    await this.contact.submit(request, sender);
  }
}
