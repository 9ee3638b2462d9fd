/** A shortcode in a post. Offsets refer to the body. */
export interface Shortcode {
  name: string;
  /** Named arguments by name, positional ones by index from 0. */
  arguments: ReadonlyMap<string, string>;
  start: number;
  end: number;
}

/** Values of the post and the site that renderers use. */
export interface ShortcodeContext {
  /** Returns a front matter value of the post. */
  value(name: string): unknown;
  /** Returns the URL of the page of another post, or undefined without one. */
  postPath(reference: string): string | undefined;
  warn(offset: number, message: string): void;
}

/** Text between an opening and a closing shortcode. */
interface ShortcodeContent {
  raw: string;
  /** Returns the text with nested shortcodes rendered. */
  rendered(): string;
}

type ShortcodeRenderer = (
  shortcode: Shortcode,
  context: ShortcodeContext,
  inner: ShortcodeContent | undefined,
) => string;

/** Shortcodes of Hugo, Jekyll and common themes, rendered as plain markdown. */
const RENDERERS: Readonly<Record<string, ShortcodeRenderer>> = {
  figure,
  img: figure,
  youtube: video('YouTube', 'https://www.youtube.com/watch?v='),
  vimeo: video('Vimeo', 'https://vimeo.com/'),
  gist: ({ arguments: args }) =>
    `[Gist by ${args.get('0')}](https://gist.github.com/${args.get('0')}/${args.get('1')})`,
  ref: reference,
  relref: reference,
  post_url: reference,
  link: reference,
  param: (shortcode, context) => frontMatterValue(shortcode, shortcode.arguments.get('0') ?? '', context),
  'page.title': (shortcode, context) => frontMatterValue(shortcode, 'title', context),
  'site.baseurl': () => '',
  'site.url': () => '',
};

/** Shortcodes with an opening and a closing tag. */
const PAIRED_RENDERERS: Readonly<Record<string, ShortcodeRenderer>> = {
  comment: () => '',
  raw: (_shortcode, _context, inner) => inner?.raw ?? '',
  highlight: ({ arguments: args }, _context, inner) =>
    `\n\`\`\`${args.get('0') ?? ''}\n${(inner?.raw ?? '').replace(/^\n|\n$/g, '')}\n\`\`\`\n`,
  alert: callout,
  pageinfo: callout,
  notice: callout,
  admonition: callout,
  callout,
};

export const isPaired = (name: string): boolean => Object.hasOwn(PAIRED_RENDERERS, name);

export function renderShortcode(
  shortcode: Shortcode,
  inner: ShortcodeContent | undefined,
  context: ShortcodeContext,
): string {
  const { name, start } = shortcode;
  const paired = isPaired(name);
  if (paired && inner === undefined) {
    context.warn(start, `the shortcode “${name}” has no closing tag; removed`);
    return '';
  }
  const render = paired
    ? PAIRED_RENDERERS[name]
    : Object.hasOwn(RENDERERS, name)
      ? RENDERERS[name]
      : undefined;
  if (render) return render(shortcode, context, inner);
  context.warn(start, `unknown shortcode “${name}”; removed`);
  return '';
}

function figure({ arguments: args, start }: Shortcode, context: ShortcodeContext): string {
  const source = args.get('src') ?? args.get('0');
  if (source === undefined) {
    context.warn(start, 'a figure without “src”; removed');
    return '';
  }
  const caption = ['caption', 'title', 'attr'].flatMap((name) => args.get(name) ?? []).join(' ');
  const plain = (text: string) => text.replace(/[[\]"\n]/g, ' ').trim();
  const altText = plain(args.get('alt') ?? caption);
  return `![${altText}](<${source}>${caption === '' ? '' : ` "${plain(caption)}"`})`;
}

/** Renders a link, because an embedded video would load third-party scripts and set cookies. */
function video(host: string, address: string): ShortcodeRenderer {
  return ({ arguments: args }) => {
    const id = args.get('id') ?? args.get('0') ?? '';
    return `[${args.get('title') ?? `Video on ${host}`}](${address}${encodeURIComponent(id)})`;
  };
}

/** Renders the URL of a post, or `#`, which makes the HTML show the link as text. */
function reference({ arguments: args, start }: Shortcode, context: ShortcodeContext): string {
  const target = args.get('0') ?? args.get('path') ?? '';
  const path = context.postPath(target);
  if (path !== undefined) return path;
  context.warn(start, `unknown post “${target}”; link removed`);
  return '#';
}

function frontMatterValue({ start }: Shortcode, name: string, context: ShortcodeContext): string {
  const value = context.value(name);
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  context.warn(start, `the front matter has no “${name}”; removed`);
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

function callout(
  { arguments: args }: Shortcode,
  _context: ShortcodeContext,
  inner: ShortcodeContent | undefined,
): string {
  const kind =
    ['color', 'type', 'context', '0'].map((name) => KINDS[args.get(name) ?? '']).find(Boolean) ?? 'NOTE';
  const lines = (inner?.rendered() ?? '').trim().split('\n');
  const title = args.get('title');
  const head = `> [!${kind}]${title === undefined ? '' : ` ${title}`}`;
  return `\n${[head, ...lines.map((line) => `> ${line}`.trimEnd())].join('\n')}\n`;
}
