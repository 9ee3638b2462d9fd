import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import { type Coding, CODINGS } from './representation.ts';

/** The two forms of a page. Where a reader likes both equally, the earlier one wins: a browser's wildcard stays HTML. */
export const PAGE_TYPES = ['text/html; charset=utf-8', 'text/markdown; charset=utf-8'] as const;
export type PageType = (typeof PAGE_TYPES)[number];

/**
 * The form of a page that the reader prefers by the q-values of `Accept` (RFC 9110, section 12.5.1). One who accepts
 * neither still gets HTML: a page is more use than a 406.
 */
export function preferredPageType(headers: IncomingHttpHeaders): PageType {
  const [preferred] = new Negotiator({ headers }).mediaTypes(PAGE_TYPES) as PageType[];
  return preferred ?? PAGE_TYPES[0];
}

/** The best coding of ours that `Accept-Encoding` does not rule out; without the header, none (RFC 9110, 12.5.3). */
export function preferredCoding(headers: IncomingHttpHeaders): Coding {
  if (headers['accept-encoding'] === undefined) return 'identity';
  const accepted = new Negotiator({ headers }).encodings(CODINGS);
  return CODINGS.find((coding) => accepted.includes(coding)) ?? 'identity';
}
