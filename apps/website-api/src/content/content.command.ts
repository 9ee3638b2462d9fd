import { stat } from 'node:fs/promises';
import {
  DependencyUnavailable,
  OperationError,
  withOwnerDatabase,
} from '@gpu-observatory/service-runtime/process';
import { Command, InvalidArgumentError, Option } from 'commander';
import { repository } from '../database/repositories.ts';
import { Post } from '../posts/post.entity.ts';
import { type Finding, type Findings, formatFinding, inFileOrder } from './findings.ts';
import { prepareContent, type PreparedContent } from './prepare-content.ts';
import type { PreparedPost } from './prepare-post.ts';
import { storeContent, type StoredContent } from './store-content.ts';
import { watchFolder } from './watch-folder.ts';

interface SyncOptions {
  check?: boolean;
  strict?: boolean;
  allowEmpty?: boolean;
  skipInvalid?: boolean;
  oldSite?: URL;
  json?: boolean;
  watch?: boolean;
}

/** Exit code of a sync that published the content without the files that `--skip-invalid` skipped. */
const EXIT_CODE_SKIPPED = 2;

const PROGRESS_INTERVAL_MS = 5_000;

/** A sync waits while another one stores its content, which takes several seconds per MB of markdown. */
const CONTENT_OWNER = { schema: 'website', lockTimeoutSeconds: 1_800, statementTimeoutSeconds: 1_860 };

/** Result of `content sync`, printed with `--json`. */
export interface SyncReport {
  posts: { published: number; scheduled: number; drafts: number };
  /** Absent with `--check`. */
  stored?: StoredContent;
  warnings: string[];
  /** Errors of the files that `--skip-invalid` skipped. */
  skipped: string[];
}

/** `content sync FOLDER`: publishes the content of a folder. */
export function contentCommand(): Command {
  const content = new Command('content').description('content of the site');
  content
    .command('sync')
    .argument('<folder>', 'folder of markdown files with front matter, images and attachments')
    .description(
      'replace the content of the site with a folder; changes nothing if any file has an error (OWNER_DATABASE_URL)',
    )
    .option('--check', 'only validate; needs no database')
    .option('--strict', 'treat warnings as errors')
    .addOption(
      new Option(
        '--skip-invalid',
        'publish without the files that have errors, list them, and exit with 2',
      ).conflicts('strict'),
    )
    .option(
      '--old-site <url>',
      'site that the content comes from: its links to imported posts and media become links of this site, other ' +
        'links that start with / stay on the old site',
      parseSiteUrl,
    )
    .option('--allow-empty', 'allow a folder without posts to remove all posts')
    .option('--json', 'print the result as JSON')
    .option('--watch', 'sync again after each change of the folder, until the process ends')
    .action(async (folder: string, options: SyncOptions) => {
      if (!options.watch) return printSync(folder, options);
      await requireFolder(folder);
      return watchFolder(folder, () =>
        printSync(folder, options).catch((error: unknown) => {
          if (!(error instanceof OperationError || error instanceof DependencyUnavailable)) throw error;
          console.error(error.message);
        }),
      );
    });
  return content;
}

async function printSync(folder: string, options: SyncOptions): Promise<void> {
  const report = await syncContent(folder, options);
  if (report.skipped.length > 0) process.exitCode = EXIT_CODE_SKIPPED;
  if (options.json) {
    console.log(JSON.stringify(report, null, 2));
    return;
  }
  for (const warning of report.warnings) console.error(warning);
  if (report.skipped.length > 0) console.error(`skipped:\n${report.skipped.join('\n')}`);
  console.log(summaryOf(report));
}

async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new OperationError(`${path} is not a folder`);
}

function parseSiteUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new InvalidArgumentError('It must be a URL such as https://old.example.');
}

/** @throws {OperationError} listing all errors by file and line */
export async function syncContent(folder: string, options: SyncOptions): Promise<SyncReport> {
  await requireFolder(folder);
  const { content, findings, skipped } = await prepareContent(folder, options);
  const isStrict = options.strict ?? false;
  // Strict checks report errors together with warnings, most of which are found when the posts are prepared.
  if (!isStrict) rejectErrors(findings, isStrict);
  function* prepare() {
    yield* withProgress(content);
    rejectErrors(findings, isStrict);
  }
  let stored: StoredContent | undefined;
  if (options.check || findings.errors.length > 0) prepareAll(prepare());
  else stored = await store({ ...content, prepare }, options.allowEmpty ?? false);
  return {
    posts: countPosts(content),
    ...(stored && { stored }),
    warnings: formatted(findings.warnings),
    skipped: formatted(skipped),
  };
}

/** Prepares the posts, and prints the number of prepared ones every 5 s. */
function* withProgress({ posts, prepare }: PreparedContent): Generator<PreparedPost> {
  let [count, reportedAt] = [0, Date.now()];
  for (const post of prepare()) {
    yield post;
    count += 1;
    if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) continue;
    reportedAt = Date.now();
    process.stderr.write(`${count} of ${counted(posts.length, 'post')}\n`);
  }
}

/** Prepares the posts only for their findings. */
function prepareAll(posts: Iterable<PreparedPost>): void {
  for (const _post of posts);
}

const formatted = (findings: Finding[]): string[] => inFileOrder(findings).map(formatFinding);

function rejectErrors({ errors, warnings }: Findings, isStrict: boolean): void {
  const rejected = formatted(isStrict ? [...errors, ...warnings] : errors);
  if (rejected.length === 0) return;
  throw new OperationError(
    `${counted(rejected.length, 'error')}, nothing was changed:\n${rejected.join('\n')}`,
  );
}

function store(content: PreparedContent, allowEmpty: boolean): Promise<StoredContent> {
  return withOwnerDatabase(CONTENT_OWNER, async (database) => {
    if (content.posts.length === 0 && !allowEmpty && (await repository(database, Post).exists())) {
      throw new OperationError(
        'the folder has no posts, but the site does; pass --allow-empty to remove all posts',
      );
    }
    return storeContent(database, content);
  });
}

function countPosts({ posts }: PreparedContent): SyncReport['posts'] {
  const now = Date.now();
  const complete = posts.filter(({ draft }) => !draft);
  const published = complete.filter(({ publishedAt }) => publishedAt.getTime() <= now).length;
  return { published, scheduled: complete.length - published, drafts: posts.length - complete.length };
}

function summaryOf({ posts, stored, warnings, skipped }: SyncReport): string {
  const invalid = new Set(skipped.map((error) => error.replace(/:\d+: [\s\S]*/, ''))).size;
  const found =
    `${counted(posts.published, 'post')} published, ${posts.scheduled} scheduled, ` +
    `${counted(posts.drafts, 'draft')} skipped, ` +
    (invalid === 0 ? '' : `${counted(invalid, 'invalid file')} skipped, `) +
    counted(warnings.length, 'warning');
  if (!stored) return `${found}; nothing was written`;
  const written = stored.posts.written + stored.media.written;
  const removed = stored.posts.removed + stored.media.removed;
  const unchanged = stored.posts.unchanged + stored.media.unchanged;
  return `${found}; ${written} written, ${removed} removed, ${unchanged} unchanged`;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
