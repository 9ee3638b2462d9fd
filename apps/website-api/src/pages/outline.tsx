import type { Root } from 'hast';
import { toString } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';

/** Texts with fewer sections get no outline. */
const MIN_SECTIONS = 3;

const parser = unified().use(rehypeParse, { fragment: true });

/** Links to the sections of a text, given as HTML. */
export function Outline({ prose }: { prose: string }) {
  const sections = findSections(parser.parse(prose));
  if (sections.length < MIN_SECTIONS) return null;
  return (
    <nav class="outline" aria-label="On this page">
      <ol>
        {sections.map(({ id, title }) => (
          <li>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function findSections(tree: Root): { id: string; title: string }[] {
  const sections: { id: string; title: string }[] = [];
  visit(tree, 'element', ({ tagName, properties, children }) => {
    const { id } = properties;
    if (tagName !== 'h2' || typeof id !== 'string' || id === 'footnote-label') return;
    sections.push({ id, title: toString({ type: 'root', children }) });
  });
  return sections;
}
