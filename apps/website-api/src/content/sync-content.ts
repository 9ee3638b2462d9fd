import { stat } from 'node:fs/promises';
import { OperationError, withOwnerDatabase } from '@gpu-observatory/service-runtime/process';
import { repository } from '../database/repositories.ts';
import { Post } from '../posts/post.entity.ts';
import { type Finding, type Findings, formatFinding, inFileOrder } from './findings.ts';
import { prepareContent, type PreparedContent } from './prepare-content.ts';
import type { PreparedPost } from './prepare-post.ts';
import { storeContent, type StoredContent } from './store-content.ts';

const PROGRESS_INTERVAL_MS = 5_000;

/** A sync waits while another one stores its content, which takes several seconds per MB of markdown. */
const CONTENT_OWNER = { schema: 'website', lockTimeoutSeconds: 1_800, statementTimeoutSeconds: 1_860 };

/** Options of `content sync` (see `content.command.ts`). */
export interface SyncOptions {
  check?: boolean;
  strict?: boolean;
  allowEmpty?: boolean;
  skipInvalid?: boolean;
  oldSite?: URL;
}

/** Result of `content sync`, printed with `--json`. */
export interface SyncReport {
  posts: { published: number; scheduled: number; drafts: number };
  /** Absent with `--check`. */
  stored?: StoredContent;
  warnings: string[];
  /** Errors of the files that `--skip-invalid` skipped. */
  skipped: string[];
}

/** @throws {OperationError} if the path is not a folder */
export async function requireFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new OperationError(`${path} is not a folder`);
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

export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
