import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';

/** Supported content codings, best first. `identity` means uncompressed. */
const CODINGS = ['br', 'zstd', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

const COMPRESSED_CODINGS = CODINGS.filter((coding) => coding !== 'identity');

/** The two content types of a page. On equal q-values the first one wins, so a browser's wildcard selects HTML. */
export const PAGE_TYPES = ['text/html; charset=utf-8', 'text/markdown; charset=utf-8'] as const;
export type PageType = (typeof PAGE_TYPES)[number];

/** Removes the parameters of media types other than `q`, such as `variant=GFM`, from a value of `Accept`. */
export const withoutTypeParameters = (accept: string): string =>
  accept.replace(/;\s*(?!q\s*=)[^\s=;,]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*)/gi, '');

/**
 * Selects the content type of a page by the q-values of `Accept` (RFC 9110, section 12.5.1). A client that accepts
 * neither gets HTML, not 406. Media type parameters are ignored.
 */
export function preferredPageType({ accept }: IncomingHttpHeaders): PageType {
  const headers = accept === undefined ? {} : { accept: withoutTypeParameters(accept) };
  const [preferred] = new Negotiator({ headers }).mediaTypes(PAGE_TYPES) as PageType[];
  return preferred ?? PAGE_TYPES[0];
}

/** Adds the option that orders codings with equal q-values, which the library's types omit. */
type CodingNegotiator = Negotiator & {
  encodings(available: readonly Coding[], options: { preferred: readonly Coding[] }): Coding[];
};

/**
 * Selects the content coding with the highest q-value in `Accept-Encoding`, and the first of `CODINGS` on equal
 * q-values (RFC 9110, section 12.5.3). `identity` competes only if the header lists it; otherwise it is the fallback.
 */
export function preferredCoding(headers: IncomingHttpHeaders): Coding {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return 'identity';
  const available = /\bidentity\b/i.test(String(accepted)) ? CODINGS : COMPRESSED_CODINGS;
  const [preferred] = (new Negotiator({ headers }) as CodingNegotiator).encodings(available, {
    preferred: CODINGS,
  });
  return preferred ?? 'identity';
}
