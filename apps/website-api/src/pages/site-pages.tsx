import { Injectable } from '@nestjs/common';
import type { SiteConfig } from '../config/site.config.ts';
import { WebsiteConfig } from '../config/website.config.ts';
import { type ContentSnapshot, latestUpdate, type Term } from '../posts/content-snapshot.ts';
import { postPath, type TermKind } from '../posts/post-paths.ts';
import type { PublishedPost } from '../posts/posts.queries.ts';
import { type SiteIdentity, siteIdentity } from '../site/site-identity.ts';
import { blogListing, type PostListing, termListing } from './blog/blog-content.ts';
import { listingPages, titleOf } from './blog/listing-pages.ts';
import { postHtml } from './blog/post.html.tsx';
import { postListHtml } from './blog/post-list.html.tsx';
import { postListMarkdown } from './blog/post-list.markdown.ts';
import { postMarkdown } from './blog/post.markdown.ts';
import { ContactForm, type SubmittedForm } from './contact/contact-form.html.tsx';
import { contactContent, notSentContent, SENT_CONTENT } from './contact/contact-content.ts';
import { developersContent } from './developers/developers-content.ts';
import { homeContent } from './home/home-content.ts';
import { homeHtml } from './home/home.html.tsx';
import { homeMarkdown } from './home/home.markdown.ts';
import { contentPage, fixedPage, type Page } from '../negotiation/page.ts';
import { prosePage } from './prose-page.tsx';

/** All pages of the site, for controllers, the sitemap, `/llms-full.txt` and the suggestions of a 404. */
@Injectable()
export class SitePages {
  readonly developers: Page;
  readonly contact: Page;
  /** Confirmation after the contact form; not listed in the sitemap. */
  readonly contactSent: Page;
  private readonly config: SiteConfig;
  private readonly identity: SiteIdentity;
  private readonly pagesOf = new WeakMap<ContentSnapshot, Page[]>();

  constructor({ site: config }: WebsiteConfig) {
    this.config = config;
    this.identity = siteIdentity(config);
    this.developers = prosePage(developersContent(config), this.identity);
    this.contact = prosePage(contactContent(config), this.identity, <ContactForm />);
    this.contactSent = prosePage(SENT_CONTENT, this.identity);
  }

  /** @param snapshot undefined before the first load of the content */
  home(snapshot: ContentSnapshot | undefined): Page {
    const content = homeContent(this.config, snapshot);
    const address = { path: '/', title: this.identity.name };
    const renderers = { html: () => homeHtml(content), markdown: () => homeMarkdown(content) };
    return snapshot ? contentPage(snapshot, address, renderers) : fixedPage(address, renderers);
  }

  /** The pages of the list of all posts, newest first. */
  blog(snapshot: ContentSnapshot): Page[] {
    return this.listing(blogListing(snapshot), snapshot);
  }

  /** The pages of a category or tag. */
  term(kind: TermKind, term: Term, snapshot: ContentSnapshot): Page[] {
    return this.listing(termListing(kind, term), snapshot);
  }

  post(post: PublishedPost, snapshot: ContentSnapshot): Page {
    const address = {
      path: postPath(post.slug),
      title: post.title,
      canonicalUrl: post.canonical_url ?? undefined,
      updatedAt: post.updated_at,
    };
    return contentPage(snapshot, address, {
      html: () => postHtml(post, snapshot, this.identity),
      markdown: () => postMarkdown(post, this.identity),
    });
  }

  /** The page after a rejected contact form, with the form to correct. */
  contactNotSent(reason: string, form?: SubmittedForm): Page {
    return prosePage(notSentContent(reason, this.config), this.identity, <ContactForm {...form} />);
  }

  /** @param snapshot undefined before the first load of the content */
  all(snapshot: ContentSnapshot | undefined): Page[] {
    if (!snapshot) return [this.home(snapshot), this.developers, this.contact];
    const pages = this.pagesOf.get(snapshot) ?? this.createPages(snapshot);
    this.pagesOf.set(snapshot, pages);
    return pages;
  }

  private createPages(snapshot: ContentSnapshot): Page[] {
    return [
      this.home(snapshot),
      this.developers,
      this.contact,
      ...this.blog(snapshot),
      ...snapshot.posts.map((post) => this.post(post, snapshot)),
      ...snapshot.categories.flatMap((term) => this.term('category', term, snapshot)),
      ...snapshot.tags.flatMap((term) => this.term('tag', term, snapshot)),
    ];
  }

  private listing(listing: PostListing, snapshot: ContentSnapshot): Page[] {
    return listingPages(listing).map((page) => {
      const address = { path: page.path, title: titleOf(page), updatedAt: latestUpdate(page.posts) };
      return contentPage(snapshot, address, {
        html: () => postListHtml(page, snapshot, this.identity),
        markdown: () => postListMarkdown(page, snapshot, this.identity),
      });
    });
  }
}
