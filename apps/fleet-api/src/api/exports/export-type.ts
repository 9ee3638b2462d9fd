import type { IncomingHttpHeaders } from 'node:http';
import { withoutTypeParameters } from '@gpu-observatory/service-runtime';

/** Media types of an export; of equal q-values the first one is chosen. */
export const EXPORT_TYPES = ['text/csv', 'application/x-ndjson'] as const;
export type ExportType = (typeof EXPORT_TYPES)[number];

/** A media range with an optional q-value from 0 to 1 with at most three decimals (RFC 9110, section 12.4.2). */
const MEDIA_RANGE = /^\s*([^\s;,]+)\s*(?:;\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

/** The content negotiation of a list request. */
interface NegotiatedExport {
  /** Media type of the export that the client requests; null for JSON. */
  exportType: ExportType | null;
  /** Whether `Accept` lists an export type, so that the response depends on it. */
  isListed: boolean;
}

/**
 * Negotiates the media type of a list. A client gets an export only if `Accept` lists its type with a higher q-value than JSON and the
 * wildcard, so that no client gets one by a wildcard.
 */
export function negotiateExport(headers: IncomingHttpHeaders): NegotiatedExport {
  const accepted = acceptedTypes(headers);
  const qualityOf = (type: string) => accepted.get(type) ?? 0;
  const json = accepted.get('application/json') ?? qualityOf('application/*');
  const listed = EXPORT_TYPES.filter((type) => accepted.has(type));
  const [best = null] = listed
    .filter((type) => qualityOf(type) > Math.max(json, qualityOf('*/*')))
    .sort((a, b) => qualityOf(b) - qualityOf(a));
  return { exportType: best, isListed: listed.length > 0 };
}

/**
 * Returns the q-values of the media ranges in `Accept`, by their lowercase names. Media type parameters such as `charset` are ignored;
 * of a repeated range, the highest q-value counts. Malformed ranges are omitted.
 */
function acceptedTypes({ accept = '' }: IncomingHttpHeaders): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const range of withoutTypeParameters(accept).split(',')) {
    const [, name, quality = '1'] = MEDIA_RANGE.exec(range) ?? [];
    if (name === undefined) continue;
    const type = name.toLowerCase();
    qualities.set(type, Math.max(qualities.get(type) ?? 0, Number(quality)));
  }
  return qualities;
}
