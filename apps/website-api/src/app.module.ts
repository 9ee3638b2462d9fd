import { type DynamicModule, Module } from '@nestjs/common';
import { type Runtime, RuntimeModule } from '@gpu-observatory/service-runtime';
import { AgentsModule } from './agents/agents.module.ts';
import { WebsiteConfig } from './config/website.config.ts';
import { ContactModule } from './contact/contact.module.ts';
import { FeedsModule } from './feeds/feeds.module.ts';
import { MediaModule } from './media/media.module.ts';
import { NotFoundModule } from './not-found/not-found.module.ts';
import { PagesModule } from './pages/pages.module.ts';
import { PostsModule } from './posts/posts.module.ts';
import { RequestsModule } from './requests/requests.module.ts';
import { SiteModule } from './site/site.module.ts';

@Module({
  imports: [
    RequestsModule,
    SiteModule,
    PostsModule,
    PagesModule,
    ContactModule,
    MediaModule,
    FeedsModule,
    AgentsModule,
    NotFoundModule,
  ],
})
export class AppModule {
  static with(config: WebsiteConfig, runtime: Runtime): DynamicModule {
    const values = [{ provide: WebsiteConfig, useValue: config }];
    return { module: AppModule, imports: [RuntimeModule.with(runtime, values)] };
  }
}
