import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { root } from '../root.ts';

/** Versions of the repository by file: packages, chart, images and OpenAPI documents. */
export function versionsOf(folder: string): Map<string, string> {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  const manifests = workspaces.map((pattern) => `${pattern}/package.json`);
  const packages = globSync(manifests, { cwd: folder }).map(dirname).sort();
  const chart = parse(read('k8s/chart/Chart.yaml')) as { version: string; appVersion: string };
  return new Map([
    ...['.', ...packages].map((path) => {
      const file = join(path, 'package.json');
      return [file, (JSON.parse(read(file)) as { version: string }).version] as const;
    }),
    ...packages
      .map((path) => join(path, 'openapi.json'))
      .filter((file) => existsSync(join(folder, file)))
      .map((file) => [file, (JSON.parse(read(file)) as { info: { version: string } }).info.version] as const),
    ['version of k8s/chart/Chart.yaml', chart.version],
    ['appVersion of k8s/chart/Chart.yaml', chart.appVersion],
    ['docker/Dockerfile', /^ARG VERSION=(.*)$/m.exec(read('docker/Dockerfile'))?.[1] ?? ''],
  ]);
}

/** The pages with a section for each version. */
export interface Pages {
  /** CHANGELOG.md */
  changelog: string;
  /** docs/changes.md */
  changes: string;
}

/**
 * Returns the sections of a version in CHANGELOG.md and docs/changes.md.
 *
 * @param tag such as v1.2.3
 * @throws {Error} if a version in the repository differs from the tag, or if a section is missing
 */
export function releaseNotes(tag: string, versions: Map<string, string>, pages: Pages): string {
  const version = /^v(\d+\.\d+\.\d+)$/.exec(tag)?.[1];
  if (version === undefined) throw new Error(`the tag must have the form v1.2.3, got "${tag}"`);
  const others = [...versions].filter(([, other]) => other !== version);
  if (others.length > 0) {
    const list = others.map(([file, other]) => `${file} has ${other}`).join('\n');
    throw new Error(`the versions differ from the tag ${tag}:\n${list}`);
  }
  const notes = sectionOf(version, 'CHANGELOG.md', pages.changelog);
  return `${notes}\n\n## HTTP contract\n\n${sectionOf(version, 'docs/changes.md', pages.changes)}`;
}

function sectionOf(version: string, name: string, page: string): string {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${version}\n`));
  if (section === undefined) throw new Error(`${name} has no section "## ${version}"`);
  return section.slice(version.length).trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const read = (page: string) => readFileSync(join(root, page), 'utf8');
    const pages = { changelog: read('CHANGELOG.md'), changes: read('docs/changes.md') };
    console.log(releaseNotes(process.argv[2] ?? '', versionsOf(root), pages));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
