import { type DynamicModule, Module } from '@nestjs/common';
import type { Runtime } from '@gpu-observatory/service-runtime';
import { APP_PIPE } from '@nestjs/core';
import { AssetsController } from './assets/assets.controller.ts';
import { SiteConfig } from './config/site.config.ts';
import type { WebsiteConfig } from './config/website.config.ts';
import { ContactModule } from './contact/contact.module.ts';
import { FeedsController } from './feeds/feeds.controller.ts';
import { LlmsController } from './llms/llms.controller.ts';
import { MediaController } from './media/media.controller.ts';
import { PublishedMedia } from './media/published-media.ts';
import { BlogController } from './pages/blog/blog.controller.ts';
import { ContactPageController } from './pages/contact/contact-page.controller.ts';
import { DevelopersController } from './pages/developers/developers.controller.ts';
import { HomeController } from './pages/home/home.controller.ts';
import { SitePages } from './pages/site-pages.tsx';
import { requestValidation } from './requests/request-validation.ts';
import { PostsController } from './posts/posts.controller.ts';
import { PublishedContent } from './posts/published-content.ts';
import { SiteController } from './site/site.controller.ts';
import { TermsController } from './terms/terms.controller.ts';

@Module({})
export class AppModule {
  static compose({ site, contact }: WebsiteConfig, runtime: Runtime): DynamicModule {
    return {
      module: AppModule,
      imports: [ContactModule.compose(contact, runtime)],
      controllers: [
        HomeController,
        BlogController,
        DevelopersController,
        ContactPageController,
        MediaController,
        FeedsController,
        LlmsController,
        AssetsController,
        SiteController,
        PostsController,
        TermsController,
      ],
      providers: [
        { provide: SiteConfig, useValue: site },
        { provide: PublishedContent, useValue: new PublishedContent(runtime.database, site.siteUrl) },
        { provide: SitePages, useValue: new SitePages(site) },
        { provide: PublishedMedia, useValue: new PublishedMedia(runtime.database) },
        { provide: APP_PIPE, useValue: requestValidation },
      ],
    };
  }
}
