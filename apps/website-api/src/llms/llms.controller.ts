import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SiteConfig } from '../config/site.config.ts';
import { deliver } from '../negotiation/deliver.ts';
import { Representation } from '../negotiation/representation.ts';
import { SitePages } from '../pages/site-pages.ts';
import { PublishedContent } from '../posts/published-content.ts';
import { agentsMarkdown } from './agents.markdown.ts';
import { llmsFullTxt } from './llms-full-txt.ts';
import { llmsTxt } from './llms-txt.ts';

const TEXT = 'text/plain; charset=utf-8';

/** What the site has for agents: `/llms.txt`, `/llms-full.txt` and `/agents.md` (contract, section 1). */
@ApiExcludeController()
@Controller()
export class LlmsController {
  private readonly guidance: Representation;

  constructor(
    private readonly content: PublishedContent,
    private readonly pages: SitePages,
    private readonly config: SiteConfig,
  ) {
    this.guidance = new Representation('text/markdown; charset=utf-8', agentsMarkdown(config));
  }

  @Get('llms.txt')
  async getIndex(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const snapshot = await this.content.current();
    const index = () => new Representation(TEXT, llmsTxt(this.config, snapshot.posts));
    deliver(request, reply, snapshot.form('llms.txt', index));
  }

  @Get('llms-full.txt')
  async getEverything(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const snapshot = await this.content.current();
    const everything = () =>
      new Representation(
        TEXT,
        llmsFullTxt(this.config, this.pages.all(snapshot), agentsMarkdown(this.config)),
      );
    deliver(request, reply, snapshot.form('llms-full.txt', everything));
  }

  @Get('agents.md')
  getGuidance(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    deliver(request, reply, this.guidance);
  }
}
