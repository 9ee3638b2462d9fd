import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublishedContent } from '../../posts/published-content.ts';
import { sendMarkdown, sendPage } from '../page.ts';
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
    if (!post) throw new NotFoundException();
    const page = this.pages.post(post, snapshot);
    (isMarkdownTwin(name) ? sendMarkdown : sendPage)(request, reply, page);
  }

  @Get('blog/category/:name')
  async getCategory(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const category = snapshot.category(slugIn(name));
    if (!category) throw new NotFoundException();
    const page = this.pages.category(category, snapshot);
    (isMarkdownTwin(name) ? sendMarkdown : sendPage)(request, reply, page);
  }

  @Get('blog/tag/:name')
  async getTag(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const tag = snapshot.tag(slugIn(name));
    if (!tag) throw new NotFoundException();
    const page = this.pages.tag(tag, snapshot);
    (isMarkdownTwin(name) ? sendMarkdown : sendPage)(request, reply, page);
  }
}

const isMarkdownTwin = (name: string) => name.endsWith('.md');
const slugIn = (name: string) => name.replace(/\.md$/, '');
