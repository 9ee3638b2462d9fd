import { withSiteUrl } from '../../content/site-placeholder.ts';
import type { ContentSnapshot } from '../../posts/content-snapshot.ts';
import { postPath, termPath } from '../../posts/post-paths.ts';
import type { PublishedPost } from '../../posts/posts.queries.ts';
import type { SiteIdentity } from '../../site/site-identity.ts';
import { isoDate, longDate } from '../dates.ts';
import { renderTextPage, scriptsFor } from '../layout.tsx';
import { Outline } from '../outline.tsx';
import { wasUpdated } from './blog-content.ts';

/** Renders a post as an HTML document. `content sync` sanitizes the body before storing it. */
export function postHtml(post: PublishedPost, snapshot: ContentSnapshot, identity: SiteIdentity): string {
  const path = postPath(post.slug);
  const imageUrl = post.image_path === null ? undefined : identity.url + post.image_path;
  const prose = withSiteUrl(post.html, '');
  const { category, tags } = post;
  const tagNames = tags.map(({ name }) => name);
  const head = {
    path,
    title: post.title,
    description: post.summary,
    scripts: scriptsFor(prose),
    canonicalUrl: post.canonical_url ?? undefined,
    imageUrl,
    article: {
      publishedAt: post.published_at,
      updatedAt: post.updated_at,
      author: post.author,
      tags: tagNames,
    },
    linkedData: {
      '@type': 'BlogPosting',
      headline: post.title,
      mainEntityOfPage: identity.url + path,
      inLanguage: post.language,
      datePublished: post.published_at.toISOString(),
      dateModified: post.updated_at.toISOString(),
      author: { '@type': 'Person', name: post.author },
      image: imageUrl,
      articleSection: category?.name,
      keywords: tagNames,
    },
  };
  return renderTextPage(
    head,
    identity,
    <>
      <article class="post">
        <header class="columns">
          <p class="when">
            <time datetime={isoDate(post.published_at)}>{longDate(post.published_at)}</time>
            {category && <a href={termPath('category', category.slug)}>{category.name}</a>}
            <span>{post.reading_minutes} min read</span>
          </p>
          <h1 lang={post.language} dir="auto">
            {post.title}
          </h1>
          <p class="lead" lang={post.language} dir="auto">
            {post.summary}
          </p>
          <p class="byline">
            By {post.author}
            {wasUpdated(post) && `. Updated ${longDate(post.updated_at)}.`}
          </p>
        </header>
        <div class="columns">
          <Outline prose={prose} />
          <div class="prose" lang={post.language} dir="auto" dangerouslySetInnerHTML={{ __html: prose }} />
          {tags.length > 0 && (
            <p class="tags">
              {tags.map(({ slug, name }) => (
                <a href={termPath('tag', slug)}>#{name}</a>
              ))}
            </p>
          )}
        </div>
      </article>
      <Neighbors post={post} snapshot={snapshot} />
    </>,
  );
}

function Neighbors({ post, snapshot: { posts } }: { post: PublishedPost; snapshot: ContentSnapshot }) {
  const index = posts.indexOf(post);
  return (
    <nav class="neighbors" aria-label="Other posts">
      <PostLink label="Newer" post={posts[index - 1]} />
      <PostLink label="Older" post={posts[index + 1]} />
      <p>
        <a href="/blog">All posts</a>
      </p>
    </nav>
  );
}

function PostLink({ label, post }: { label: string; post: PublishedPost | undefined }) {
  if (!post) return null;
  return (
    <p>
      <span>{label}</span>{' '}
      <a href={postPath(post.slug)} lang={post.language} dir="auto">
        {post.title}
      </a>
    </p>
  );
}
