import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Representation, sendRepresentation } from '@gpu-observatory/service-runtime';
import { SiteConfig } from '../config/site.config.ts';
import { SitePages } from '../pages/site-pages.tsx';
import { PublishedContent } from '../posts/published-content.ts';
import { agentsMarkdown } from './agents.markdown.ts';
import { llmsFullTxt } from './llms-full-txt.ts';
import { llmsTxt } from './llms-txt.ts';

const TEXT = 'text/plain; charset=utf-8';

/** `/llms.txt`, `/llms-full.txt` and `/agents.md`: documents for AI agents. */
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
    const index = () => new Representation(TEXT, llmsTxt(this.config, snapshot));
    sendRepresentation(request, reply, snapshot.representation('llms.txt', index));
  }

  @Get('llms-full.txt')
  async getFullText(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const snapshot = await this.content.current();
    const fullText = () =>
      new Representation(
        TEXT,
        llmsFullTxt(this.config, this.pages.all(snapshot), agentsMarkdown(this.config)),
      );
    sendRepresentation(request, reply, snapshot.representation('llms-full.txt', fullText));
  }

  @Get('agents.md')
  getGuidance(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    sendRepresentation(request, reply, this.guidance);
  }
}
