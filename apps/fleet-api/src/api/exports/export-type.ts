import type { IncomingHttpHeaders } from 'node:http';
import { acceptedTypes } from '@gpu-observatory/service-runtime';

/** Media types of an export; of equal q-values the first one is chosen. */
export const EXPORT_TYPES = ['text/csv', 'application/x-ndjson'] as const;
export type ExportType = (typeof EXPORT_TYPES)[number];

/**
 * Returns the media type of the export that a request asks for; null for JSON. A client gets an export only if `Accept` names its type
 * with a higher q-value than JSON and any type, so that no client gets one by a wildcard.
 */
export function exportTypeOf(headers: IncomingHttpHeaders): ExportType | null {
  const accepted = acceptedTypes(headers);
  const qualityOf = (type: string) => accepted.get(type) ?? 0;
  const json = accepted.get('application/json') ?? qualityOf('application/*');
  const [best] = EXPORT_TYPES.filter((type) => qualityOf(type) > Math.max(json, qualityOf('*/*'))).toSorted(
    (a, b) => qualityOf(b) - qualityOf(a),
  );
  return best ?? null;
}

/** Whether the response depends on `Accept`: it names the type of an export. */
export function namesExportType(headers: IncomingHttpHeaders): boolean {
  const accepted = acceptedTypes(headers);
  return EXPORT_TYPES.some((type) => accepted.has(type));
}
