import { Representation } from '@gpu-observatory/service-runtime';
import { DOME_SVG, FRAME_CSS, TOKENS_CSS } from '@gpu-observatory/visual-identity';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, parse } from 'node:path';

/** A static file whose name includes a hash of its content, so that it can be cached forever. */
interface Asset {
  /** For example `site-3f9a0c1d2e.css`. */
  fingerprintedName: string;
  representation: Representation;
}

const CONTENT_TYPES: Record<string, string> = {
  '.ico': 'image/x-icon',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
};

const folder = new URL('./files/', import.meta.url);

const ownFiles = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder))] as const);
/** Files that the pages share with those of other services. */
const SHARED_FILES = [
  ['frame.css', Buffer.from(TOKENS_CSS + FRAME_CSS)],
  ['dome.svg', Buffer.from(DOME_SVG)],
] as const;

/** All files, read at startup, by plain name such as `site.css`. */
const assets: ReadonlyMap<string, Asset> = new Map(
  [...ownFiles, ...SHARED_FILES].map(([name, bytes]) => {
    const { name: stem, ext } = parse(name);
    const fingerprint = createHash('sha256').update(bytes).digest('hex').slice(0, 10);
    const contentType = CONTENT_TYPES[ext];
    if (contentType === undefined)
      throw new Error(`Asset ${name} has an unknown extension. Add its content type to CONTENT_TYPES.`);
    return [
      name,
      {
        fingerprintedName: `${stem}-${fingerprint}${ext}`,
        representation: new Representation(contentType, bytes),
      },
    ];
  }),
);

export function assetNamed(name: string): Asset {
  const asset = assets.get(name);
  if (!asset) throw new Error(`Unknown asset ${name}.`);
  return asset;
}

/** Returns the URL path of an asset. */
export const assetPath = (name: string): string => `/assets/${assetNamed(name).fingerprintedName}`;

/**
 * Finds an asset by its fingerprinted name. During a rollout, a page of one release may request a file of another
 * release. It gets the current content, with `isExact` false so that the response is not cached forever.
 */
export function findAsset(requestedName: string): { asset: Asset; isExact: boolean } | undefined {
  const plainName = `${parse(requestedName).name.replace(/-[0-9a-f]{10}$/, '')}${extname(requestedName)}`;
  const asset = assets.get(plainName);
  return asset && { asset, isExact: asset.fingerprintedName === requestedName };
}
