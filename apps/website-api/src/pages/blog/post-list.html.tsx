import type { ContentSnapshot, Term } from '../../posts/content-snapshot.ts';
import { postPath, type TermKind, termPath } from '../../posts/post-paths.ts';
import type { PublishedPost } from '../../posts/posts.queries.ts';
import type { SiteIdentity } from '../../site/site-identity.ts';
import { isoDate, longDate } from '../dates.ts';
import { renderTextPage } from '../layout.tsx';
import { rankTerms } from './blog-content.ts';
import { byYear, type ListingPage, titleOf } from './listing-pages.ts';

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
  return renderTextPage(
    head,
    identity,
    <>
      <h1>{title}</h1>
      <p class="lead">{number === 1 ? lead : position}</p>
      {posts.length === 0 && <p class="empty">No posts have been published yet.</p>}
      {byYear(posts).map((group) => (
        <>
          <h2 class="year">{group.year}</h2>
          <ol class="posts">
            {group.posts.map((post) => (
              <Entry post={post} listPath={path} />
            ))}
          </ol>
        </>
      ))}
      {count > 1 && <PageLinks page={page} />}
      {isBlog && number === 1 && (
        <>
          <Terms heading="Categories" kind="category" terms={snapshot.categories} />
          <Terms heading="Tags" kind="tag" terms={snapshot.tags} />
        </>
      )}
      {!isBlog && (
        <p class="back">
          <a href="/blog">All posts</a>
        </p>
      )}
    </>,
  );
}

function PageLinks({ page: { number, count, previousPath, nextPath } }: { page: ListingPage }) {
  return (
    <nav class="pages" aria-label="Pages">
      {previousPath !== undefined && (
        <a rel="prev" href={previousPath}>
          Newer posts
        </a>
      )}
      <span>
        Page {number} of {count}
      </span>
      {nextPath !== undefined && (
        <a rel="next" href={nextPath}>
          Older posts
        </a>
      )}
    </nav>
  );
}

/** @param listPath path of the page with the list; on the pages of a category, the posts do not link to it */
function Entry({ post, listPath }: { post: PublishedPost; listPath: string }) {
  const { category } = post;
  const categoryPath = category && termPath('category', category.slug);
  return (
    <li class={post.featured ? 'featured' : undefined}>
      <p class="when">
        <time datetime={isoDate(post.published_at)}>{longDate(post.published_at)}</time>
        {categoryPath && !`${listPath}/`.startsWith(`${categoryPath}/`) && (
          <a href={categoryPath}>{category.name}</a>
        )}
        {post.featured && <span>Featured</span>}
      </p>
      <div>
        <h3 lang={post.language} dir="auto">
          <a href={postPath(post.slug)}>{post.title}</a>
        </h3>
        <p lang={post.language} dir="auto">
          {post.summary}
        </p>
        <p class="byline">
          {post.author} · {post.reading_minutes} min read
        </p>
      </div>
    </li>
  );
}

/** All categories or tags with their number of posts. */
function Terms({ heading, kind, terms }: { heading: string; kind: TermKind; terms: Term[] }) {
  if (terms.length === 0) return null;
  const { shown, more } = rankTerms(terms);
  const noun = heading.toLowerCase();
  return (
    <section class="terms">
      <h2>{heading}</h2>
      <div>
        {shown.length > 0 && <TermList kind={kind} terms={shown} />}
        {more.length > 0 && (
          <details>
            <summary>{shown.length > 0 ? `${more.length} more ${noun}` : `${more.length} ${noun}`}</summary>
            <TermList kind={kind} terms={more} />
          </details>
        )}
      </div>
    </section>
  );
}

function TermList({ kind, terms }: { kind: TermKind; terms: Term[] }) {
  return (
    <ul>
      {terms.map(({ slug, name, posts }) => (
        <li>
          <a href={termPath(kind, slug)}>{name}</a> {posts.length}
        </li>
      ))}
    </ul>
  );
}
