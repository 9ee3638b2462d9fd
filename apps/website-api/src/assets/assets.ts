import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, parse } from 'node:path';
import { Representation } from '../negotiation/representation.ts';

/** A file that pages load, under a name that changes with its content, so that it may be cached for good. */
export interface Asset {
  /** Such as `site-3f9a0c1d2e.css`. */
  fingerprintedName: string;
  representation: Representation;
}

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};

const folder = new URL('./files/', import.meta.url);

/** Every file of `files/`, read once at start, by its plain name such as `site.css`. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  readdirSync(folder).map((name) => {
    const bytes = readFileSync(new URL(name, folder));
    const { name: stem, ext } = parse(name);
    const fingerprint = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
    const contentType = CONTENT_TYPES[ext];
    if (contentType === undefined) throw new Error(`The asset ${name} is of no known content type.`);
    return [
      name,
      {
        fingerprintedName: `${stem}-${fingerprint}${ext}`,
        representation: new Representation(contentType, bytes),
      },
    ];
  }),
);

/** The path under which a page loads an asset. */
export function assetPath(name: string): string {
  const asset = assets.get(name);
  if (!asset) throw new Error(`There is no asset ${name}.`);
  return `/assets/${asset.fingerprintedName}`;
}

/**
 * The asset that a requested name means. While a release rolls out, a page of one replica may load its files from
 * another that has other content under that name: it gets what is there, and `isExact` is false.
 */
export function findAsset(requestedName: string): { asset: Asset; isExact: boolean } | undefined {
  const plainName = `${parse(requestedName).name.replace(/-[0-9a-f]{10}$/, '')}${extname(requestedName)}`;
  const asset = assets.get(plainName);
  return asset && { asset, isExact: asset.fingerprintedName === requestedName };
}
