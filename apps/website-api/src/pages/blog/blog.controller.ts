import { Get, NotFoundException, Param } from '@nestjs/common';
import { slugOf } from '../../content/slugs.ts';
import type { Page } from '../../negotiation/page.ts';
import { PageController } from '../../negotiation/page.interceptor.ts';
import { MovedPage } from '../../negotiation/redirect.ts';
import { postPath, type TermKind, termPath } from '../../posts/post-paths.ts';
import { PublishedContent } from '../../posts/published-content.ts';
import { SitePages } from '../site-pages.tsx';

/**
 * `/blog` and the pages below it, each with its markdown twin. A name that ends in `.md` selects the twin; slugs contain
 * no dots. Unknown query parameters are ignored, because links often carry tracking parameters. A name in another
 * spelling, such as `/blog/XID_79`, redirects to the slug.
 */
@PageController()
export class BlogController {
  constructor(
    private readonly content: PublishedContent,
    private readonly pages: SitePages,
  ) {}

  @Get(['blog', 'blog.md'])
  async getBlog(): Promise<Page> {
    return this.pages.blog(await this.content.current())[0]!;
  }

  @Get('blog/page/:number')
  async getBlogPage(@Param('number') number: string): Promise<Page | MovedPage> {
    return pageOf(this.pages.blog(await this.content.current()), number);
  }

  @Get('blog/:name')
  async getPost(@Param('name') name: string): Promise<Page | MovedPage> {
    const snapshot = await this.content.current();
    const post = find(name, (slug) => snapshot.post(slug));
    if (post.slug !== slugIn(name)) return new MovedPage(postPath(post.slug) + suffixOf(name));
    return this.pages.post(post, snapshot);
  }

  @Get('blog/category/:name')
  getCategory(@Param('name') name: string): Promise<Page | MovedPage> {
    return this.term('category', name);
  }

  @Get('blog/category/:name/page/:number')
  getCategoryPage(@Param('name') name: string, @Param('number') number: string): Promise<Page | MovedPage> {
    return this.termPage('category', name, number);
  }

  @Get('blog/tag/:name')
  getTag(@Param('name') name: string): Promise<Page | MovedPage> {
    return this.term('tag', name);
  }

  @Get('blog/tag/:name/page/:number')
  getTagPage(@Param('name') name: string, @Param('number') number: string): Promise<Page | MovedPage> {
    return this.termPage('tag', name, number);
  }

  private async term(kind: TermKind, name: string): Promise<Page | MovedPage> {
    const snapshot = await this.content.current();
    const term = find(name, (slug) => snapshot.term(kind, slug));
    if (term.slug !== slugIn(name)) return new MovedPage(termPath(kind, term.slug) + suffixOf(name));
    return this.pages.term(kind, term, snapshot)[0]!;
  }

  private async termPage(kind: TermKind, name: string, number: string): Promise<Page | MovedPage> {
    const snapshot = await this.content.current();
    const term = snapshot.term(kind, name);
    return pageOf(term ? this.pages.term(kind, term, snapshot) : [], number);
  }
}

const suffixOf = (name: string) => (name.endsWith('.md') ? '.md' : '');
const slugIn = (name: string) => name.replace(/\.md$/, '');

/** Finds an entry by its slug, or by another spelling of it. The redirect target is a slug, so it never redirects. */
function find<T>(name: string, bySlug: (slug: string) => T | undefined): T {
  const slug = slugIn(name);
  const found = bySlug(slug) ?? bySlug(slugOf(slug));
  if (found === undefined) throw new NotFoundException();
  return found;
}

/** Returns page 2 and following of a list. Page 1 has the URL of the list. */
function pageOf(pages: Page[], name: string): Page | MovedPage {
  const number = /^[1-9]\d*$/.test(slugIn(name)) ? Number(slugIn(name)) : 0;
  const page = pages[number - 1];
  if (!page) throw new NotFoundException();
  return number === 1 ? new MovedPage(page.path + suffixOf(name)) : page;
}
