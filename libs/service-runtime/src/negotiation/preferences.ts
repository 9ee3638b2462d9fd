import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';

/** Supported content codings, best first. `identity` means uncompressed. */
const CODINGS = ['br', 'zstd', 'gzip', 'identity'] as const;
export type Coding = (typeof CODINGS)[number];

const COMPRESSED_CODINGS = CODINGS.filter((coding) => coding !== 'identity');

/** The two content types of a page. On equal q-values the first one wins, so a browser's wildcard selects HTML. */
export const PAGE_TYPES = ['text/html; charset=utf-8', 'text/markdown; charset=utf-8'] as const;
export type PageType = (typeof PAGE_TYPES)[number];

/** Matches a media type parameter other than `q`. */
const TYPE_PARAMETER = /;\s*(?!q\s*=)[^\s=;,]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*)/gi;

/**
 * Selects the content type of a page by the q-values of `Accept` (RFC 9110, section 12.5.1). A client that accepts
 * neither gets HTML, not 406. Media type parameters such as `variant=GFM` are ignored.
 */
export function preferredPageType({ accept }: IncomingHttpHeaders): PageType {
  const headers = accept === undefined ? {} : { accept: accept.replace(TYPE_PARAMETER, '') };
  const [preferred] = new Negotiator({ headers }).mediaTypes(PAGE_TYPES) as PageType[];
  return preferred ?? PAGE_TYPES[0];
}

/** A media range with an optional q-value from 0 to 1 with at most three decimals (RFC 9110, section 12.4.2). */
const MEDIA_RANGE = /^\s*([^\s;,]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/**
 * Returns the q-value of each media range that `Accept` names, by its lowercase name. Media type parameters such as `charset` are
 * ignored; of a repeated range, the highest q-value counts. Malformed ranges are left out.
 */
export function acceptedTypes({ accept = '' }: IncomingHttpHeaders): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const range of accept.replace(TYPE_PARAMETER, '').split(',')) {
    const [, name, quality = '1'] = MEDIA_RANGE.exec(range) ?? [];
    if (name === undefined) continue;
    const type = name.toLowerCase();
    qualities.set(type, Math.max(qualities.get(type) ?? 0, Number(quality)));
  }
  return qualities;
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
