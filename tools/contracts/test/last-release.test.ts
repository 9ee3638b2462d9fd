import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareWithLastRelease } from './compatibility/last-release.ts';
import type { RawDocument } from '../src/document/openapi-document.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const services = ['fleet-api', 'account-service', 'website-api'];
const comparison = compareWithLastRelease(root);

it(`lists every breaking change in docs/changes.md (${comparison.summary})`, () => {
  expect(comparison.undocumentedChanges).toEqual([]);
});

describe('in a separate repository', () => {
  let repository: string;
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: repository,
    });
  const commit = (message: string) => {
    git('add', '.');
    git('commit', '--quiet', '--message', message);
  };

  beforeEach(() => {
    repository = mkdtempSync(join(tmpdir(), 'release-'));
    git('init', '--quiet');
    mkdirSync(join(repository, 'docs'));
    writeFileSync(join(repository, 'docs/changes.md'), '# Changes\n');
    for (const service of services) {
      mkdirSync(join(repository, 'apps', service), { recursive: true });
      cpSync(join(root, 'apps', service, 'openapi.json'), join(repository, 'apps', service, 'openapi.json'));
    }
    commit('first version');
    git('tag', 'v1.0.0-rc.1');
  });
  afterEach(() => rmSync(repository, { recursive: true }));

  /** Removes `GET /api/tags` from the website's document, which is incompatible. */
  function removeTags(): void {
    const file = join(repository, 'apps/website-api/openapi.json');
    const document = JSON.parse(readFileSync(file, 'utf8')) as RawDocument;
    delete document.paths['/api/tags'];
    writeFileSync(file, JSON.stringify(document));
    commit('remove the tags');
  }

  it('has nothing to compare with before the first release', () => {
    removeTags();
    expect(compareWithLastRelease(repository)).toEqual({
      summary: 'no release tag (v1.2.3): nothing to compare with',
      undocumentedChanges: [],
    });
  });

  it('finds an incompatible change since the last release until docs/changes.md lists it', () => {
    git('tag', 'v1.9.0');
    git('tag', 'v1.10.0');
    expect(compareWithLastRelease(repository)).toEqual({
      summary: 'compared with v1.10.0',
      undocumentedChanges: [],
    });
    removeTags();
    const change = 'website-api: GET /api/tags is removed';
    expect(compareWithLastRelease(repository).undocumentedChanges).toEqual([change]);
    writeFileSync(join(repository, 'docs/changes.md'), `# Changes\n\n- \`${change}\`\n`);
    expect(compareWithLastRelease(repository).undocumentedChanges).toEqual([]);
  });
});
