import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render } from './helm.ts';
import { manifestsOf, titleOf } from './manifest.ts';
import { chart, root } from './root.ts';
import { valuesTable } from './values-table.ts';

const TABLE = /(<!-- values -->\n\n)[^]*(\n\n<!-- \/values -->)/;

/**
 * The files that follow from others, by their path from the root: what `npm run accept` writes and the tests hold them
 * to. The kustomize base is the chart's default render, split by template, and the migrations are its hooks.
 */
export function generatedFiles(): Map<string, string> {
  const files = new Map<string, string>();
  const whole = render();
  const base = byTemplate(render({ hooks: false }));
  const migrations = byTemplate(whole).get('migrations.yaml') ?? '';
  for (const [template, text] of base) files.set(`k8s/kustomize/base/${template}`, text);
  files.set('k8s/kustomize/base/kustomization.yaml', kustomization([...base.keys()]));
  files.set('k8s/kustomize/migrations/migrations.yaml', withoutHooks(migrations));
  const page = readFileSync(join(root, 'k8s/README.md'), 'utf8');
  const table = valuesTable(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  files.set(
    'k8s/README.md',
    page.replace(TABLE, (_all, before: string, after: string) => before + table + after),
  );
  return files;
}

/** The objects by the template that made them, in helm's order, as somebody else's to manage. */
function byTemplate(rendered: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const document of rendered.split(/^---\n/m)) {
    const template = /^# Source: [^\n]*\/templates\/(?:tests\/)?([^\n/]+)\n/.exec(document);
    if (!template?.[1]) continue;
    const text = document.slice(template[0].length).replaceAll('managed-by: Helm', 'managed-by: kustomize');
    files.set(template[1], `${files.get(template[1]) ?? ''}---\n${text}`);
  }
  return files;
}

/** Hooks mean nothing to kubectl. */
function withoutHooks(rendered: string): string {
  return rendered.replace(/^ {2}annotations:\n(?: {4}helm\.sh\/hook[^\n]*\n)+/gm, '');
}

function kustomization(resources: string[]): string {
  return `# The chart's default render, without its hooks. \`npm run accept -w tools/manifests\` writes this folder anew.
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
${resources
  .sort()
  .map((resource) => `  - ${resource}\n`)
  .join('')}`;
}

/** What differs between two renders, object by object, whatever the order of their keys. */
export function differingObjects(one: string, other: string): string[] {
  const texts = (yaml: string) =>
    new Map(manifestsOf(yaml).map((object) => [titleOf(object), JSON.stringify(sorted(object))]));
  const [before, after] = [texts(one), texts(other)];
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (title) => before.get(title) !== after.get(title),
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
