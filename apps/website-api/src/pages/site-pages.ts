import { SiteConfig } from '../config/site.config.ts';
import type { ContentSnapshot, Term } from '../posts/content-snapshot.ts';
import { postPath } from '../posts/post-paths.ts';
import type { PostRow } from '../posts/posts.queries.ts';
import { type SiteIdentity, siteIdentity } from '../site/site-identity.ts';
import { blogListing, type PostListing, termListing } from './blog/blog-text.ts';
import { postListMarkdown, postMarkdown } from './blog/blog.markdown.ts';
import { postHtml } from './blog/post.html.ts';
import { postListHtml } from './blog/post-list.html.ts';
import { contactForm } from './contact/contact-form.html.ts';
import { contactText, notSent, SENT } from './contact/contact-text.ts';
import { developersText } from './developers/developers-text.ts';
import { homeContent } from './home/home-content.ts';
import { homeHtml } from './home/home.html.ts';
import { homeMarkdown } from './home/home.markdown.ts';
import { contentPage, fixedPage, type Page, type PageAddress } from './page.ts';
import { prosePage } from './prose-page.ts';

/** Every page of the site: what the sitemap lists, agents read in one file, and a lost reader may have meant. */
export class SitePages {
  readonly developers: Page;
  readonly contact: Page;
  /** Where the form leads: for whom has sent it, so in no list of pages. */
  readonly contactSent: Page;
  private readonly identity: SiteIdentity;

  constructor(private readonly config: SiteConfig) {
    this.identity = siteIdentity(config);
    this.developers = prosePage(developersText(config), this.identity);
    this.contact = prosePage(contactText(config), this.identity, contactForm());
    this.contactSent = prosePage(SENT, this.identity);
  }

  /** @param snapshot undefined while no content was ever read */
  home(snapshot: ContentSnapshot | undefined): Page {
    const content = homeContent(this.config, snapshot);
    const address = { path: '/', markdownPath: '/index.md', title: this.identity.name };
    const forms = { html: () => homeHtml(content), markdown: () => homeMarkdown(content) };
    return snapshot ? contentPage(snapshot, address, forms) : fixedPage(address, forms);
  }

  blog(snapshot: ContentSnapshot): Page {
    return this.listing(blogListing(snapshot), snapshot);
  }

  category(term: Term, snapshot: ContentSnapshot): Page {
    return this.listing(termListing('category', term), snapshot);
  }

  tag(term: Term, snapshot: ContentSnapshot): Page {
    return this.listing(termListing('tag', term), snapshot);
  }

  post(post: PostRow, snapshot: ContentSnapshot): Page {
    const about = {
      ...at(postPath(post.slug), post.title, post.updated_at),
      ...(post.canonical_url === null ? {} : { canonicalUrl: post.canonical_url }),
    };
    return contentPage(snapshot, about, {
      html: () => postHtml(post, snapshot, this.identity),
      markdown: () => postMarkdown(post, snapshot, this.identity),
    });
  }

  /** The answer to a form that was refused. */
  contactNotSent(reason: string): Page {
    return prosePage(notSent(reason), this.identity);
  }

  /** @param snapshot undefined while no content was ever read */
  all(snapshot: ContentSnapshot | undefined): Page[] {
    if (!snapshot) return [this.home(snapshot), this.developers, this.contact];
    return [
      this.home(snapshot),
      this.developers,
      this.contact,
      this.blog(snapshot),
      ...snapshot.posts.map((post) => this.post(post, snapshot)),
      ...snapshot.categories.map((term) => this.category(term, snapshot)),
      ...snapshot.tags.map((term) => this.tag(term, snapshot)),
    ];
  }

  private listing(listing: PostListing, snapshot: ContentSnapshot): Page {
    const { path, title, posts } = listing;
    const updatedAt = posts.map(({ updated_at: at }) => at).reduce<Date | undefined>(later, undefined);
    return contentPage(snapshot, at(path, title, updatedAt), {
      html: () => postListHtml(listing, snapshot, this.identity),
      markdown: () => postListMarkdown(listing, snapshot, this.identity),
    });
  }
}

const later = (one: Date | undefined, other: Date): Date => (one && one > other ? one : other);

const at = (path: string, title: string, updatedAt: Date | undefined): PageAddress => ({
  path,
  markdownPath: `${path}.md`,
  title,
  ...(updatedAt ? { updatedAt } : {}),
});
