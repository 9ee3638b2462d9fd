import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Representation } from '@gpu-observatory/service-runtime';
import { WebsiteConfig } from '../config/website.config.ts';
import { SitePages } from '../pages/site-pages.tsx';
import { PublishedContent } from '../posts/published-content.ts';
import { agentsMarkdown } from './agents.markdown.ts';
import { llmsFullTxt } from './llms-full-txt.ts';
import { llmsTxt } from './llms-txt.ts';

const TEXT = 'text/plain; charset=utf-8';

/** `/llms.txt`, `/llms-full.txt` and `/agents.md`: documents for AI agents. */
@ApiExcludeController()
@Controller()
export class AgentsController {
  private readonly guidance: Representation;

  constructor(
    private readonly content: PublishedContent,
    private readonly pages: SitePages,
    private readonly config: WebsiteConfig,
  ) {
    this.guidance = new Representation('text/markdown; charset=utf-8', agentsMarkdown(config.site));
  }

  @Get('llms.txt')
  async getIndex(): Promise<Representation> {
    const snapshot = await this.content.current();
    return snapshot.representation(
      'llms.txt',
      () => new Representation(TEXT, llmsTxt(this.config.site, snapshot)),
    );
  }

  @Get('llms-full.txt')
  async getFullText(): Promise<Representation> {
    const snapshot = await this.content.current();
    return snapshot.representation('llms-full.txt', () => {
      const text = llmsFullTxt(this.config.site, this.pages.all(snapshot), this.guidance.text);
      return new Representation(TEXT, text);
    });
  }

  @Get('agents.md')
  getGuidance(): Representation {
    return this.guidance;
  }
}
