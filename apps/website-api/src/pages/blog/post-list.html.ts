import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { ContentSnapshot } from '../../posts/content-snapshot.ts';
import { postPath } from '../../posts/post-paths.ts';
import type { PostRow } from '../../posts/posts.queries.ts';
import type { SiteIdentity } from '../../site/site-identity.ts';
import { textPage } from '../layout.ts';
import { isoDate, type PostListing, termsOf, longDate } from './blog-content.ts';

/** Renders a list of posts as an HTML document. */
export function postListHtml(
  listing: PostListing,
  snapshot: ContentSnapshot,
  identity: SiteIdentity,
): string {
  const { path, title, lead, posts } = listing;
  const linkedData = { '@type': path === '/blog' ? 'Blog' : 'CollectionPage', name: title };
  return textPage(
    { path, title, description: lead, linkedData },
    identity,
    html`
      <h1>${title}</h1>
      <p class="lead">${lead}</p>
      ${
        posts.length === 0
          ? html`<p class="empty">No posts have been published yet.</p>`
          : html`<ol class="posts">
              ${posts.map((post) => entry(post, snapshot))}
            </ol>`
      }
      ${path === '/blog' ? terms(snapshot) : html`<p class="back"><a href="/blog">All posts</a></p>`}
    `,
  );
}

function entry(post: PostRow, snapshot: ContentSnapshot): VNode {
  const { category } = termsOf(post, snapshot);
  return html`
    <li class=${post.featured ? 'featured' : undefined}>
      <p class="when">
        <time datetime=${isoDate(post.published_at)}>${longDate(post.published_at)}</time>
        ${category && html`<a href=${category.path}>${category.name}</a>`}
        ${post.featured && html`<span>Featured</span>`}
      </p>
      <div>
        <h2 lang=${post.language}><a href=${postPath(post.slug)}>${post.title}</a></h2>
        <p lang=${post.language}>${post.summary}</p>
        <p class="byline">${post.author} · ${post.reading_minutes} min read</p>
      </div>
    </li>
  ` as VNode;
}

function terms({ categories, tags }: ContentSnapshot) {
  const list = (heading: string, kind: 'category' | 'tag', all: typeof categories) =>
    all.length > 0 &&
    html`
      <section class="terms">
        <h2>${heading}</h2>
        <ul>
          ${all.map(
            ({ slug, name, posts }) => html`
              <li><a href=${`/blog/${kind}/${encodeURIComponent(slug)}`}>${name}</a> ${posts.length}</li>
            `,
          )}
        </ul>
      </section>
    `;
  return html`${list('Categories', 'category', categories)} ${list('Tags', 'tag', tags)}`;
}
