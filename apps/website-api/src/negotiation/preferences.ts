import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import { type Coding, CODINGS } from './representation.ts';

const COMPRESSING = CODINGS.filter((coding) => coding !== 'identity');

/** The two forms of a page. Where a reader likes both equally, the earlier one wins: a browser's wildcard stays HTML. */
export const PAGE_TYPES = ['text/html; charset=utf-8', 'text/markdown; charset=utf-8'] as const;
export type PageType = (typeof PAGE_TYPES)[number];

/** A parameter of a media type, save its q-value. */
const TYPE_PARAMETER = /;\s*(?!q\s*=)[^\s=;,]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*)/gi;

/**
 * The form of a page that the reader prefers by the q-values of `Accept` (RFC 9110, section 12.5.1). One who accepts
 * neither still gets HTML: a page is more use than a 406. A variant of a type, such as `variant=GFM`, counts
 * as the type.
 */
export function preferredPageType({ accept }: IncomingHttpHeaders): PageType {
  const headers = accept === undefined ? {} : { accept: accept.replace(TYPE_PARAMETER, '') };
  const [preferred] = new Negotiator({ headers }).mediaTypes(PAGE_TYPES) as PageType[];
  return preferred ?? PAGE_TYPES[0];
}

/** The library's types lack the order of codings with equal q-values. */
type CodingNegotiator = Negotiator & {
  encodings(available: readonly Coding[], options: { preferred: readonly Coding[] }): Coding[];
};

/**
 * Our coding with the highest q-value in `Accept-Encoding`, of equal ones the best; without the header, none (RFC 9110,
 * section 12.5.3). That it is not coded at all counts where the header names it, `identity`, and comes last otherwise.
 */
export function preferredCoding(headers: IncomingHttpHeaders): Coding {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return 'identity';
  const ours = /\bidentity\b/i.test(String(accepted)) ? CODINGS : COMPRESSING;
  const [preferred] = (new Negotiator({ headers }) as CodingNegotiator).encodings(ours, {
    preferred: CODINGS,
  });
  return preferred ?? 'identity';
}
