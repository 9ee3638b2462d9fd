/** Resolves the links and images of a post to URLs. Offsets locate warnings in the body. */
export interface ReferenceResolver {
  /** Returns the URL of a link, or undefined after a warning if it has no target on the site. */
  link(reference: string, offset: number): string | undefined;
  image(reference: string, offset: number): ResolvedImage;
  warn(offset: number, message: string): void;
}

/** An image of this site, an image of another site that becomes a link, or undefined without an image. */
export type ResolvedImage = { shown: string } | { linked: string } | undefined;
