import type { Root as HtmlRoot } from 'hast';
import { common } from 'lowlight';
import type { Root as MarkdownRoot } from 'mdast';
import rehypeHighlight from 'rehype-highlight';
import rehypeRaw from 'rehype-raw';
import rehypeSlug from 'rehype-slug';
import rehypeStringify from 'rehype-stringify';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import nginx from 'highlight.js/lib/languages/nginx';
import powershell from 'highlight.js/lib/languages/powershell';
import protobuf from 'highlight.js/lib/languages/protobuf';
import console from 'highlight.js/lib/languages/shell';
import { callouts } from './callouts.ts';
import { parseMarkdown } from './markdown.ts';
import { type ImageSizes, present } from './present-html.ts';
import { sanitizer } from './sanitize.ts';

/** Authors use `shell` for scripts and `console` for sessions with prompts. */
const { shell: _session, ...others } = common;
const languages = { ...others, console, dockerfile, nginx, powershell, protobuf };

/** The sanitizer runs after all author content and before our own additions, such as classes for syntax highlighting. */
const processor = unified()
  .use(() => (tree: MarkdownRoot) => callouts(tree))
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeRaw)
  .use(...sanitizer)
  .use(rehypeSlug)
  .use(rehypeHighlight, { languages, aliases: { bash: 'shell' } })
  .use(rehypeStringify)
  .freeze();

/** Renders markdown of the site as HTML. */
export function renderHtml(body: string, sizes: ImageSizes): string {
  const tree = processor.runSync(parseMarkdown(body)) as HtmlRoot;
  present(tree, sizes);
  return processor.stringify(tree);
}

/** Renders the body of a post with resolved references as HTML. Changes the tree. */
export function renderPost(body: MarkdownRoot, sizes: ImageSizes): string {
  const tree = processor.runSync(body) as HtmlRoot;
  // Finds only what HTML parsers read in another way than `raw-html.ts`.
  visit(tree, 'element', ({ tagName, properties }, index, parent) => {
    if (!/^(?:https?:|mailto:|#)/i.test(String(properties['href'] ?? ''))) delete properties['href'];
    if (tagName === 'img' && parent && index !== undefined && !sizes.has(String(properties['src'])))
      parent.children[index] = { type: 'text', value: String(properties['alt'] ?? '') };
  });
  present(tree, sizes);
  return processor.stringify(tree);
}
