import { Controller, Get, NotFoundException, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { slugOf } from '../../content/slugs.ts';
import { postPath, type TermKind, termPath } from '../../posts/post-paths.ts';
import { PublishedContent } from '../../posts/published-content.ts';
import { type Page, sendMarkdown, sendPage, sendRedirect } from '../page.ts';
import { SitePages } from '../site-pages.tsx';

/**
 * `/blog` and the pages below it, each with its markdown twin. A name that ends in `.md` selects the twin; slugs contain
 * no dots. Unknown query parameters are ignored, because links often carry tracking parameters. A name in another
 * spelling, such as `/blog/XID_79`, redirects to the slug.
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
    sendPage(request, reply, this.pages.blog(snapshot)[0]!);
  }

  @Get('blog.md')
  async getBlogMarkdown(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const snapshot = await this.content.current();
    sendMarkdown(request, reply, this.pages.blog(snapshot)[0]!);
  }

  @Get('blog/page/:number')
  async getBlogPage(
    @Param('number') number: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    sendPageOf(this.pages.blog(snapshot), number, request, reply);
  }

  @Get('blog/:name')
  async getPost(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const post = find(name, (slug) => snapshot.post(slug));
    if (post.slug !== slugIn(name)) sendRedirect(request, reply, postPath(post.slug) + suffixOf(name));
    else send(name, request, reply, this.pages.post(post, snapshot));
  }

  @Get('blog/category/:name')
  async getCategory(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.sendTerm('category', name, request, reply);
  }

  @Get('blog/category/:name/page/:number')
  async getCategoryPage(
    @Param('name') name: string,
    @Param('number') number: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.sendTermPage('category', name, number, request, reply);
  }

  @Get('blog/tag/:name')
  async getTag(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.sendTerm('tag', name, request, reply);
  }

  @Get('blog/tag/:name/page/:number')
  async getTagPage(
    @Param('name') name: string,
    @Param('number') number: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.sendTermPage('tag', name, number, request, reply);
  }

  private async sendTerm(
    kind: TermKind,
    name: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const term = find(name, (slug) => snapshot.term(kind, slug));
    if (term.slug !== slugIn(name)) sendRedirect(request, reply, termPath(kind, term.slug) + suffixOf(name));
    else send(name, request, reply, this.pages.term(kind, term, snapshot)[0]!);
  }

  private async sendTermPage(
    kind: TermKind,
    name: string,
    number: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const snapshot = await this.content.current();
    const term = snapshot.term(kind, name);
    sendPageOf(term ? this.pages.term(kind, term, snapshot) : [], number, request, reply);
  }
}

const isMarkdown = (name: string) => name.endsWith('.md');
const suffixOf = (name: string) => (isMarkdown(name) ? '.md' : '');
const slugIn = (name: string) => name.replace(/\.md$/, '');

/** Finds an entry by its slug, or by another spelling of it. The redirect target is a slug, so it never redirects. */
function find<T>(name: string, bySlug: (slug: string) => T | undefined): T {
  const slug = slugIn(name);
  const found = bySlug(slug) ?? bySlug(slugOf(slug));
  if (found === undefined) throw new NotFoundException();
  return found;
}

/** Sends page 2 and following of a list. Page 1 has the URL of the list. */
function sendPageOf(pages: Page[], name: string, request: FastifyRequest, reply: FastifyReply): void {
  const number = /^[1-9]\d*$/.test(slugIn(name)) ? Number(slugIn(name)) : 0;
  const page = pages[number - 1];
  if (!page) throw new NotFoundException();
  if (number === 1) sendRedirect(request, reply, page.path + suffixOf(name));
  else send(name, request, reply, page);
}

function send(name: string, request: FastifyRequest, reply: FastifyReply, page: Page): void {
  (isMarkdown(name) ? sendMarkdown : sendPage)(request, reply, page);
}
