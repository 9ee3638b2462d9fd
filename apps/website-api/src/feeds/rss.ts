import { Feed } from 'feed';
import { onSite } from '../content/site-address.ts';
import type { ContentSnapshot } from '../posts/content-snapshot.ts';
import { categoryPath, postPath, tagPath } from '../posts/post-paths.ts';
import type { SiteIdentity } from '../site/site-identity.ts';
import { BLOG_LEAD } from '../pages/blog/blog-text.ts';

/** Every post as RSS 2.0, newest first, with its whole text. */
export function rssFeed(snapshot: ContentSnapshot, { name, url }: SiteIdentity): string {
  const { updatedAt } = snapshot;
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
  for (const post of snapshot.posts) {
    const category = snapshot.category(post.category_slug);
    const tags = post.tag_slugs.flatMap((slug) => snapshot.tag(slug) ?? []);
    const link = url + postPath(post.slug);
    feed.addItem({
      title: unended(post.title),
      link,
      date: post.published_at,
      description: unended(post.summary),
      content: contentOf(post.html, url, link),
      category: [
        ...(category ? [{ name: category.name, domain: url + categoryPath(category.slug) }] : []),
        ...tags.map((tag) => ({ name: tag.name, domain: url + tagPath(tag.slug) })),
      ],
      // RSS wants a mail address for an author; Dublin Core takes a name.
      extensions: [{ name: 'dc:creator', objects: { _text: post.author } }],
    });
  }
  return feed.rss2();
}

/** The whole text, for readers that know no page it could be relative to. */
const contentOf = (html: string, siteUrl: string, link: string) =>
  onSite(html, siteUrl).replaceAll('href="#', `href="${link}#`).replaceAll(']]>', ']]&gt;');

/** Plain text stands in a CDATA section, which this would end. */
const unended = (text: string) => text.replaceAll(']]>', ']] >');
