import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Document, parseDocument, visit } from 'yaml';
import { chart } from '../root.ts';

interface ChartRelease {
  /** Registry of the images, such as ghcr.io/acme. */
  registry: string;
  /** URL of the repository. */
  source: string;
  /** Such as v1.2.3. */
  tag: string;
  /** Digests of the images by name, such as fleet-api. */
  digests: Map<string, string>;
}

/**
 * Writes the chart of a release into a folder: with registry and digests of its images as default values, and with the
 * URLs of the repository. Comments stay.
 *
 * @throws {Error} if an image of the chart has no digest
 */
export function writeReleaseChart({ registry, source, tag, digests }: ChartRelease, folder: string): void {
  cpSync(chart, folder, { recursive: true, dereference: true });
  edit(join(folder, 'values.yaml'), (values) => {
    values.setIn(['image', 'registry'], registry);
    visit(values, {
      Map: (_key, map) => {
        const repository = map.get('repository');
        if (typeof repository !== 'string' || !map.has('digest')) return;
        const image = repository.replace(/^.*\//, '');
        const digest = digests.get(image);
        if (digest === undefined || !/^sha256:[a-f0-9]{64}$/.test(digest))
          throw new Error(`no digest of the image ${image}`);
        map.set('digest', digest);
      },
    });
  });
  edit(join(folder, 'Chart.yaml'), (document) => {
    document.set('version', tag.slice(1));
    document.set('appVersion', tag.slice(1));
    document.set('home', source);
    document.set('sources', [source]);
    document.set(
      'icon',
      `${source.replace('https://github.com/', 'https://raw.githubusercontent.com/')}/${tag}/k8s/chart/icon.svg`,
    );
    const links = JSON.stringify([{ name: 'Installation', url: `${source}/blob/${tag}/k8s/README.md` }]);
    document.setIn(['annotations', 'artifacthub.io/links'], links);
  });
}

function edit(file: string, change: (document: Document) => void): void {
  const document = parseDocument(readFileSync(file, 'utf8'));
  change(document);
  writeFileSync(file, document.toString({ lineWidth: 0 }));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { registry: text, source: text, tag: text, digests: text, out: text },
  });
  const { registry = '', source = '', tag = '', digests = '', out = '' } = values;
  const read = (name: string) => [name, readFileSync(join(digests, name), 'utf8').trim()] as const;
  writeReleaseChart({ registry, source, tag, digests: new Map(readdirSync(digests).map(read)) }, out);
}
