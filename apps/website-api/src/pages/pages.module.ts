import { Module } from '@nestjs/common';
import { ContactModule } from '../contact/contact.module.ts';
import { PostsModule } from '../posts/posts.module.ts';
import { BlogController } from './blog/blog.controller.ts';
import { ContactFormController } from './contact/contact-form.controller.ts';
import { RejectedFormFilter } from './contact/rejected-form.filter.ts';
import { PagesController } from './pages.controller.ts';
import { SitePages } from './site-pages.tsx';

/** The pages of the site as HTML and markdown, and the contact form. */
@Module({
  imports: [PostsModule, ContactModule],
  controllers: [PagesController, BlogController, ContactFormController],
  providers: [SitePages, RejectedFormFilter],
  exports: [SitePages],
})
export class PagesModule {}
