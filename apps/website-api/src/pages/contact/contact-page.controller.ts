import { Get } from '@nestjs/common';
import type { Page } from '../../negotiation/page.ts';
import { PageController } from '../../negotiation/page.interceptor.ts';
import { SitePages } from '../site-pages.tsx';

/** The contact page and the page after its form, with their markdown twins. */
@PageController()
export class ContactPageController {
  constructor(private readonly pages: SitePages) {}

  @Get(['contact', 'contact.md'])
  getContact(): Page {
    return this.pages.contact;
  }

  @Get(['contact/sent', 'contact/sent.md'])
  getContactSent(): Page {
    return this.pages.contactSent;
  }
}
