import { posix } from 'node:path';

/** Content types of supported media, by file extension. */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain; charset=utf-8',
  '.log': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.yaml': 'application/yaml; charset=utf-8',
  '.yml': 'application/yaml; charset=utf-8',
  '.toml': 'application/toml; charset=utf-8',
  '.zip': 'application/zip',
  '.gz': 'application/gzip',
};

export function contentTypeOf(name: string): string | undefined {
  return MEDIA_TYPES[posix.extname(name).toLowerCase()];
}

/** Images are shown inline; other media are downloads. */
export const isImage = (contentType: string): boolean => contentType.startsWith('image/');
