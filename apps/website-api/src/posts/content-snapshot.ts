import type { Representation } from '../negotiation/representation.ts';
import type { PostRow, TermRow } from './posts.queries.ts';

/** A category or a tag with its published posts. */
export interface Term extends TermRow {
  posts: PostRow[];
}

/** More than any site has; a flood of odd queries must not fill the memory. */
const MAX_FORMS_BYTES = 64 * 1024 * 1024;

/** The published content of one moment, and every form of it that somebody has asked for. */
export class ContentSnapshot {
  readonly categories: Term[];
  readonly tags: Term[];
  private readonly bySlug: ReadonlyMap<string, PostRow>;
  private readonly forms = new Map<string, Representation>();
  private formsBytes = 0;

  /** @param posts newest first */
  constructor(
    readonly posts: PostRow[],
    categories: TermRow[],
    tags: TermRow[],
  ) {
    this.bySlug = new Map(posts.map((post) => [post.slug, post]));
    this.categories = inUse(categories, ({ slug }) => posts.filter((post) => post.category_slug === slug));
    this.tags = inUse(tags, ({ slug }) => posts.filter((post) => post.tag_slugs.includes(slug)));
  }

  post(slug: string): PostRow | undefined {
    return this.bySlug.get(slug);
  }

  category(slug: string | null): Term | undefined {
    return this.categories.find((term) => term.slug === slug);
  }

  tag(slug: string): Term | undefined {
    return this.tags.find((term) => term.slug === slug);
  }

  /** When anything of it changed last, as far as readers can see. */
  get updatedAt(): Date | undefined {
    const times = this.posts.map(({ updated_at: updatedAt }) => updatedAt.getTime());
    return times.length === 0 ? undefined : new Date(times.reduce((a, b) => Math.max(a, b)));
  }

  /** A form that was made before. */
  known(name: string): Representation | undefined {
    return this.forms.get(name);
  }

  /** One form of this content, made when somebody first asks for it. */
  form(name: string, make: () => Representation): Representation {
    const known = this.forms.get(name);
    if (known) return known;
    const made = make();
    if (this.formsBytes + made.size > MAX_FORMS_BYTES) {
      this.forms.clear();
      this.formsBytes = 0;
    }
    this.forms.set(name, made);
    this.formsBytes += made.size;
    return made;
  }
}

/** A term whose posts are all still to come is not shown yet. */
function inUse(terms: TermRow[], postsOf: (term: TermRow) => PostRow[]): Term[] {
  return terms.map((term) => ({ ...term, posts: postsOf(term) })).filter(({ posts }) => posts.length > 0);
}
