import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { ContentSnapshot, Term } from '../../posts/content-snapshot.ts';
import { postPath } from '../../posts/post-paths.ts';
import type { PostRow } from '../../posts/posts.queries.ts';
import type { SiteIdentity } from '../../site/site-identity.ts';
import { textPage } from '../layout.ts';
import { byYear, isoDate, type ListingPage, longDate, rankTerms, termsOf, titleOf } from './blog-content.ts';

/** Renders one page of a list of posts as an HTML document. */
export function postListHtml(page: ListingPage, snapshot: ContentSnapshot, identity: SiteIdentity): string {
  const { path, title, lead, number, count, posts, previousPath, nextPath, isBlog } = page;
  const position = `Page ${number} of ${count}.`;
  const head = {
    path,
    title: titleOf(page),
    description: number === 1 ? lead : `${lead} ${position}`,
    previousPath,
    nextPath,
    linkedData: { '@type': isBlog ? 'Blog' : 'CollectionPage', name: titleOf(page) },
  };
  return textPage(
    head,
    identity,
    html`
      <h1>${title}</h1>
      <p class="lead">${number === 1 ? lead : position}</p>
      ${posts.length === 0 && html`<p class="empty">No posts have been published yet.</p>`}
      ${byYear(posts).map(
        (group) => html`
          <h2 class="year">${group.year}</h2>
          <ol class="posts">
            ${group.posts.map((post) => entry(post, snapshot, path))}
          </ol>
        `,
      )}
      ${count > 1 && pageLinks(page)} ${isBlog && number === 1 && terms(snapshot)}
      ${!isBlog && html`<p class="back"><a href="/blog">All posts</a></p>`}
    `,
  );
}

function pageLinks({ number, count, previousPath, nextPath }: ListingPage): VNode {
  return html`
    <nav class="pages" aria-label="Pages">
      ${previousPath !== undefined && html`<a rel="prev" href=${previousPath}>Newer posts</a>`}
      <span>Page ${number} of ${count}</span>
      ${nextPath !== undefined && html`<a rel="next" href=${nextPath}>Older posts</a>`}
    </nav>
  ` as VNode;
}

/** @param path of the page with the list; on the pages of a category, the posts do not link to it */
function entry(post: PostRow, snapshot: ContentSnapshot, path: string): VNode {
  const { category } = termsOf(post, snapshot);
  return html`
    <li class=${post.featured ? 'featured' : undefined}>
      <p class="when">
        <time datetime=${isoDate(post.published_at)}>${longDate(post.published_at)}</time>
        ${category && !`${path}/`.startsWith(`${category.path}/`) && html`<a href=${category.path}>${category.name}</a>`}
        ${post.featured && html`<span>Featured</span>`}
      </p>
      <div>
        <h3 lang=${post.language}><a href=${postPath(post.slug)}>${post.title}</a></h3>
        <p lang=${post.language}>${post.summary}</p>
        <p class="byline">${post.author} · ${post.reading_minutes} min read</p>
      </div>
    </li>
  ` as VNode;
}

function terms({ categories, tags }: ContentSnapshot) {
  return html`${termSection('Categories', 'category', categories)} ${termSection('Tags', 'tag', tags)}`;
}

function termSection(heading: string, kind: 'category' | 'tag', terms: Term[]) {
  const { shown, more } = rankTerms(terms);
  const noun = heading.toLowerCase();
  const list = (part: Term[]) => html`
    <ul>
      ${part.map(
        ({ slug, name, posts }) => html`
          <li><a href=${`/blog/${kind}/${encodeURIComponent(slug)}`}>${name}</a> ${posts.length}</li>
        `,
      )}
    </ul>
  `;
  return (
    terms.length > 0 &&
    html`
      <section class="terms">
        <h2>${heading}</h2>
        <div>
          ${shown.length > 0 && list(shown)}
          ${
            more.length > 0 &&
            html`
              <details>
                <summary>
                  ${shown.length > 0 ? `${more.length} more ${noun}` : `${more.length} ${noun}`}
                </summary>
                ${list(more)}
              </details>
            `
          }
        </div>
      </section>
    `
  );
}
