import { Feed } from 'feed';
import { contentTypeOf } from '../content/media-types.ts';
import { withSiteUrl } from '../content/site-placeholder.ts';
import { type ContentSnapshot, latestUpdate } from '../posts/content-snapshot.ts';
import { postPath, termPath } from '../posts/post-paths.ts';
import type { PublishedPost } from '../posts/posts.queries.ts';
import type { SiteIdentity } from '../site/site-identity.ts';
import { BLOG_LEAD } from '../pages/blog/blog-content.ts';

/** Renders the newest posts with their full text as RSS 2.0, newest first. */
export function rssFeed(snapshot: ContentSnapshot, { name, url }: SiteIdentity): string {
  const updatedAt = latestUpdate(snapshot.posts);
  const feed = new Feed({
    id: `${url}/blog`,
    title: `${name}: Research`,
    description: BLOG_LEAD,
    link: `${url}/blog`,
    language: 'en',
    copyright: name,
    generator: name,
    feedLinks: { rss: `${url}/feed.xml` },
    ...(updatedAt ? { updated: updatedAt } : {}),
  });
  for (const post of snapshot.recentPosts) {
    const { category, tags } = post;
    const link = url + postPath(post.slug);
    feed.addItem({
      title: escapeCdataEnd(post.title),
      link,
      date: post.published_at,
      description: escapeCdataEnd(post.summary),
      content: feedContent(post.html, url, link),
      category: [
        ...(category ? [{ name: category.name, domain: url + termPath('category', category.slug) }] : []),
        ...tags.map((tag) => ({ name: tag.name, domain: url + termPath('tag', tag.slug) })),
      ],
      ...enclosure(post, url),
      // RSS requires an email address in <author>; Dublin Core accepts a name.
      extensions: [
        { name: 'dc:creator', objects: { _text: post.author } },
        { name: 'dc:language', objects: { _text: post.language } },
      ],
    });
  }
  return feed.rss2();
}

/** The length is unknown: https://www.rssboard.org/rss-profile#element-channel-item-enclosure */
function enclosure(post: PublishedPost, siteUrl: string) {
  const { image_path: path } = post;
  const type = path === null ? undefined : contentTypeOf(path);
  return type ? { enclosure: { url: siteUrl + path, type, length: 0 } } : {};
}

/** Makes every link absolute, because feed readers have no base URL. Escapes the end of the CDATA section. */
const feedContent = (html: string, siteUrl: string, link: string) =>
  withSiteUrl(html, siteUrl).replaceAll('href="#', `href="${link}#`).replaceAll(']]>', ']]&gt;');

/** Breaks up the sequence that would end the CDATA section around plain text. */
const escapeCdataEnd = (text: string) => text.replaceAll(']]>', ']] >');
