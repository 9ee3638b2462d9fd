import { stat } from 'node:fs/promises';
import { OperationError } from '@gpu-observatory/service-runtime';
import { Command } from 'commander';
import { withOwnerDatabase } from '../config/owner-database.ts';
import { type Findings, formatFinding, inFileOrder } from './findings.ts';
import { prepareContent, type PreparedContent } from './prepare-content.ts';
import { countStoredPosts, storeContent, type StoredContent } from './store-content.ts';

interface SyncOptions {
  check?: boolean;
  strict?: boolean;
  allowEmpty?: boolean;
  json?: boolean;
}

/** Result of `content sync`, printed with `--json`. */
export interface SyncReport {
  posts: { published: number; scheduled: number; drafts: number };
  /** Absent with `--check`. */
  stored?: StoredContent;
  warnings: string[];
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
    .option('--allow-empty', 'allow a folder without posts to remove all posts')
    .option('--json', 'print the result as JSON')
    .action(async (folder: string, options: SyncOptions) => {
      const report = await syncContent(folder, options);
      if (options.json) {
        console.log(JSON.stringify(report, null, 2));
        return;
      }
      for (const warning of report.warnings) console.error(warning);
      console.log(summaryOf(report));
    });
  return content;
}

/** @throws {OperationError} listing all errors by file and line */
export async function syncContent(folder: string, options: SyncOptions): Promise<SyncReport> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new OperationError(`${folder} is not a folder`);
  const { content, findings } = await prepareContent(folder);
  rejectErrors(findings, options.strict ?? false);
  const report = { posts: countPosts(content), warnings: inFileOrder(findings.warnings).map(formatFinding) };
  return options.check ? report : { ...report, stored: await store(content, options.allowEmpty ?? false) };
}

function rejectErrors({ errors, warnings }: Findings, isStrict: boolean): void {
  const rejected = inFileOrder(isStrict ? [...errors, ...warnings] : errors);
  if (rejected.length === 0) return;
  const lines = rejected.map(formatFinding).join('\n');
  throw new OperationError(`${counted(rejected.length, 'error')}, nothing was changed:\n${lines}`);
}

function store(content: PreparedContent, allowEmpty: boolean): Promise<StoredContent> {
  return withOwnerDatabase('website-content-sync', async (database) => {
    if (content.posts.length === 0 && !allowEmpty && (await countStoredPosts(database)) > 0) {
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

function summaryOf({ posts, stored, warnings }: SyncReport): string {
  const found =
    `${counted(posts.published, 'post')} published, ${posts.scheduled} scheduled, ` +
    `${counted(posts.drafts, 'draft')} skipped, ${counted(warnings.length, 'warning')}`;
  if (!stored) return `${found}; nothing was written`;
  const written = stored.posts.written + stored.media.written;
  const removed = stored.posts.removed + stored.media.removed;
  const unchanged = stored.posts.unchanged + stored.media.unchanged;
  return `${found}; ${written} written, ${removed} removed, ${unchanged} unchanged`;
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
