import { stat } from 'node:fs/promises';
import {
  createLogger,
  Database,
  OperationError,
  operationsSettings,
  readSettings,
  serviceSettings,
} from '@gpu-observatory/service-runtime';
import { Command } from 'commander';
import { type Findings, formatFinding, inFileOrder } from './findings.ts';
import { prepareContent, type PreparedContent } from './prepare-content.ts';
import { countStoredPosts, storeContent, type StoredContent } from './store-content.ts';

interface SyncOptions {
  check?: boolean;
  strict?: boolean;
  allowEmpty?: boolean;
  json?: boolean;
}

/** What `content sync` tells, and prints with `--json`. */
export interface SyncReport {
  posts: { published: number; scheduled: number; drafts: number };
  /** Absent with `--check`. */
  stored?: StoredContent;
  warnings: string[];
}

/** `content sync DIR`: the folder becomes what the site publishes. */
export function contentCommand(): Command {
  const content = new Command('content').description('what the site publishes');
  content
    .command('sync')
    .argument('<folder>', 'markdown files with front matter, and their images and attachments')
    .description(
      'make the site publish exactly what lies in a folder, all of it or, with any fault, nothing (OWNER_DATABASE_URL)',
    )
    .option('--check', 'only tell what is wrong; needs no database')
    .option('--strict', 'take warnings for faults')
    .option('--allow-empty', 'let a folder without posts take every post off the site')
    .option('--json', 'tell the outcome as JSON')
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

/** @throws {OperationError} naming every fault by file and line */
export async function syncContent(folder: string, options: SyncOptions): Promise<SyncReport> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new OperationError(`there is no folder ${folder}`);
  const { content, findings } = await prepareContent(folder);
  refuseFaults(findings, options.strict ?? false);
  const report = { posts: countPosts(content), warnings: inFileOrder(findings.warnings).map(formatFinding) };
  return options.check ? report : { ...report, stored: await store(content, options.allowEmpty ?? false) };
}

function refuseFaults({ faults, warnings }: Findings, isStrict: boolean): void {
  const refused = inFileOrder(isStrict ? [...faults, ...warnings] : faults);
  if (refused.length === 0) return;
  const lines = refused.map(formatFinding).join('\n');
  throw new OperationError(`nothing was changed, because of ${counted(refused.length, 'fault')}:\n${lines}`);
}

async function store(content: PreparedContent, allowEmpty: boolean): Promise<StoredContent> {
  const { OWNER_DATABASE_URL: url, LOG_LEVEL: level } = readSettings(
    { ...operationsSettings, LOG_LEVEL: serviceSettings.LOG_LEVEL },
    process.env,
  );
  const logger = createLogger('website-api', level);
  const database = new Database({
    url,
    poolSize: 1,
    namedStatements: true,
    applicationName: 'website-content-sync',
    logger,
  });
  try {
    if (content.posts.length === 0 && !allowEmpty && (await countStoredPosts(database)) > 0) {
      throw new OperationError(
        'the folder has no posts, and the site has: give --allow-empty if it should have none',
      );
    }
    return await storeContent(database, content);
  } finally {
    await database.stop();
  }
}

function countPosts({ posts }: PreparedContent): SyncReport['posts'] {
  const now = Date.now();
  const finished = posts.filter(({ draft }) => !draft);
  const published = finished.filter(({ publishedAt }) => publishedAt.getTime() <= now).length;
  return { published, scheduled: finished.length - published, drafts: posts.length - finished.length };
}

function summaryOf({ posts, stored, warnings }: SyncReport): string {
  const found =
    `${counted(posts.published, 'post')} published, ${posts.scheduled} scheduled, ` +
    `${counted(posts.drafts, 'draft')} left out, ${counted(warnings.length, 'warning')}`;
  if (!stored) return `${found}; nothing was written`;
  const written = stored.posts.written + stored.media.written;
  const removed = stored.posts.removed + stored.media.removed;
  const unchanged = stored.posts.unchanged + stored.media.unchanged;
  return `${found}; ${written} written, ${removed} removed, ${unchanged} unchanged`;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
