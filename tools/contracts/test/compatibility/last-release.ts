import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RawDocument, SERVICE_FOLDERS } from '../../src/document/openapi-document.ts';
import { breakingChanges } from './breaking-changes.ts';

interface ReleaseComparison {
  /** Description of the comparison, for the report. */
  summary: string;
  /** Breaking changes since the last release that `docs/changes.md` does not list, one line each. */
  undocumentedChanges: string[];
}

/** Leaves out pre-releases such as `v1.0.0-rc.1`. */
const RELEASE_TAG = /^v\d+\.\d+\.\d+$/;

/** Compares each committed OpenAPI document with the one at the newest release tag that HEAD contains. */
export function compareWithLastRelease(repository: string): ReleaseComparison {
  const tag = lastReleaseTag(repository);
  if (tag === undefined)
    return { summary: 'no release tag (v1.2.3): nothing to compare with', undocumentedChanges: [] };
  const documented = readFileSync(join(repository, 'docs/changes.md'), 'utf8');
  const undocumentedChanges = Object.values(SERVICE_FOLDERS)
    .flatMap((service) => {
      const path = `apps/${service}/openapi.json`;
      const released = JSON.parse(git(repository, 'show', `${tag}:${path}`)) as RawDocument;
      const current = JSON.parse(readFileSync(join(repository, path), 'utf8')) as RawDocument;
      return breakingChanges(released, current).map((change) => `${service}: ${change}`);
    })
    .filter((change) => !documented.includes(`\`${change}\``));
  return { summary: `compared with ${tag}`, undocumentedChanges };
}

function lastReleaseTag(repository: string): string | undefined {
  return git(repository, 'tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname')
    .split('\n')
    .find((tag) => RELEASE_TAG.test(tag));
}

function git(repository: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    // The largest document has about 200 KB.
    maxBuffer: 16 * 1024 * 1024,
  });
}
