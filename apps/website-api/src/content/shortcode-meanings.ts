import type { Shortcode } from './shortcodes.ts';

/** What a shortcode may ask of the post and the site around it. */
export interface ShortcodeSite {
  /** A value of the post’s front matter, by name. */
  value(name: string): unknown;
  /** The path of the page of a post that another one refers to, or undefined when there is none. */
  postPath(reference: string): string | undefined;
  warn(offset: number, message: string): void;
}

/** What stands between an opening and a closing shortcode. */
interface Inner {
  raw: string;
  /** The same with the shortcodes in it resolved. */
  resolved(): string;
}

type Meaning = (shortcode: Shortcode, site: ShortcodeSite, inner: Inner | undefined) => string;

/** The shortcodes that Hugo, Jekyll and their usual themes bring, as plain markdown. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  figure,
  img: figure,
  youtube: video('YouTube', 'https://www.youtube.com/watch?v='),
  vimeo: video('Vimeo', 'https://vimeo.com/'),
  gist: ({ arguments: given }) =>
    `[Gist by ${given.get('0')}](https://gist.github.com/${given.get('0')}/${given.get('1')})`,
  ref: reference,
  relref: reference,
  post_url: reference,
  link: reference,
  param: (shortcode, site) => frontMatterValue(shortcode, shortcode.arguments.get('0') ?? '', site),
  'page.title': (shortcode, site) => frontMatterValue(shortcode, 'title', site),
  'site.baseurl': () => '',
  'site.url': () => '',
};

/** Those that stand around something. */
const PAIRED: Readonly<Record<string, Meaning>> = {
  comment: () => '',
  raw: (_shortcode, _site, inner) => inner?.raw ?? '',
  highlight: ({ arguments: given }, _site, inner) =>
    `\n\`\`\`${given.get('0') ?? ''}\n${(inner?.raw ?? '').replace(/^\n|\n$/g, '')}\n\`\`\`\n`,
  alert: callout,
  pageinfo: callout,
  notice: callout,
  admonition: callout,
  callout,
};

export const isPaired = (name: string): boolean => Object.hasOwn(PAIRED, name);

export function replaceShortcode(
  shortcode: Shortcode,
  inner: Inner | undefined,
  site: ShortcodeSite,
): string {
  const { name, start } = shortcode;
  const paired = isPaired(name);
  if (paired && inner === undefined) {
    site.warn(start, `the shortcode “${name}” is never closed: it is left out`);
    return '';
  }
  const meaning = paired ? PAIRED[name] : Object.hasOwn(MEANINGS, name) ? MEANINGS[name] : undefined;
  if (meaning) return meaning(shortcode, site, inner);
  site.warn(start, `unknown shortcode “${name}”: it is left out`);
  return '';
}

function figure({ arguments: given, start }: Shortcode, site: ShortcodeSite): string {
  const source = given.get('src') ?? given.get('0');
  if (source === undefined) {
    site.warn(start, 'a figure without “src”: it is left out');
    return '';
  }
  const caption = ['caption', 'title', 'attr'].flatMap((name) => given.get(name) ?? []).join(' ');
  const plain = (text: string) => text.replace(/[[\]"\n]/g, ' ').trim();
  const alternative = plain(given.get('alt') ?? caption);
  return `![${alternative}](<${source}>${caption === '' ? '' : ` "${plain(caption)}"`})`;
}

/** A video would bring scripts and cookies of somebody else: a link to it brings none. */
function video(host: string, address: string): Meaning {
  return ({ arguments: given }) => {
    const id = given.get('id') ?? given.get('0') ?? '';
    return `[${given.get('title') ?? `Video on ${host}`}](${address}${encodeURIComponent(id)})`;
  };
}

/** An address that leads nowhere is `#`: the link around it is then taken off, its words stay. */
function reference({ arguments: given, start }: Shortcode, site: ShortcodeSite): string {
  const wanted = given.get('0') ?? given.get('path') ?? '';
  const path = site.postPath(wanted);
  if (path !== undefined) return path;
  site.warn(start, `there is no post “${wanted}” here: the link to it is left out`);
  return '#';
}

function frontMatterValue({ start }: Shortcode, name: string, site: ShortcodeSite): string {
  const value = site.value(name);
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  site.warn(start, `the front matter has no “${name}” to put here: it is left out`);
  return '';
}

const KINDS: Readonly<Record<string, string>> = {
  warning: 'WARNING',
  danger: 'CAUTION',
  caution: 'CAUTION',
  important: 'IMPORTANT',
  success: 'TIP',
  tip: 'TIP',
};

function callout({ arguments: given }: Shortcode, _site: ShortcodeSite, inner: Inner | undefined): string {
  const kind =
    ['color', 'type', 'context', '0'].map((name) => KINDS[given.get(name) ?? '']).find(Boolean) ?? 'NOTE';
  const lines = (inner?.resolved() ?? '').trim().split('\n');
  const title = given.get('title');
  const head = `> [!${kind}]${title === undefined ? '' : ` ${title}`}`;
  return `\n${[head, ...lines.map((line) => `> ${line}`.trimEnd())].join('\n')}\n`;
}
