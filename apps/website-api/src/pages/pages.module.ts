import { Module } from '@nestjs/common';
import { ContactModule } from '../contact/contact.module.ts';
import { PostsModule } from '../posts/posts.module.ts';
import { BlogController } from './blog/blog.controller.ts';
import { ContactFormController } from './contact/contact-form.controller.ts';
import { ContactPageController } from './contact/contact-page.controller.ts';
import { RejectedFormFilter } from './contact/rejected-form.filter.ts';
import { DevelopersController } from './developers/developers.controller.ts';
import { HomeController } from './home/home.controller.ts';
import { SitePages } from './site-pages.tsx';

/** The pages of the site as HTML and markdown, and the contact form. */
@Module({
  imports: [PostsModule, ContactModule],
  controllers: [
    HomeController,
    BlogController,
    DevelopersController,
    ContactPageController,
    ContactFormController,
  ],
  providers: [SitePages, RejectedFormFilter],
  exports: [SitePages],
})
export class PagesModule {}
