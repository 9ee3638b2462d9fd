import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublishedContent } from '../../posts/published-content.ts';
import { type Page, sendMarkdown, sendPage } from '../page.ts';
import { SitePages } from '../site-pages.ts';

/**
 * `/blog` and the pages below it, each with its markdown twin. A name that ends in `.md` selects the twin; slugs contain
 * no dots. Unknown query parameters are ignored, because links often carry tracking parameters.
 */
@ApiExcludeController()
@Controller()
export class BlogController {
  constructor(
    private readonly content: PublishedContent,
    private readonly pages: SitePages,
  ) {}

  @Get('blog')
  async getBlog(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const snapshot = await this.content.current();
    sendPage(request, reply, this.pages.blog(snapshot));
  }

  @Get('blog.md')
  async getBlogMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const snapshot = await this.content.current();
    sendMarkdown(request, reply, this.pages.blog(snapshot));
  }

  @Get('blog/:name')
  async getPost(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const post = snapshot.post(slugIn(name));
    send(name, request, reply, post && this.pages.post(post, snapshot));
  }

  @Get('blog/category/:name')
  async getCategory(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const category = snapshot.category(slugIn(name));
    send(name, request, reply, category && this.pages.category(category, snapshot));
  }

  @Get('blog/tag/:name')
  async getTag(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const tag = snapshot.tag(slugIn(name));
    send(name, request, reply, tag && this.pages.tag(tag, snapshot));
  }
}

const slugIn = (name: string) => name.replace(/\.md$/, '');

function send(name: string, request: FastifyRequest, reply: FastifyReply, page: Page | undefined): void {
  if (!page) throw new NotFoundException();
  (name.endsWith('.md') ? sendMarkdown : sendPage)(request, reply, page);
}
