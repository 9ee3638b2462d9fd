import {
  DependencyUnavailable,
  limitHeapGrowth,
  OperationError,
} from '@gpu-observatory/service-runtime/process';
import { Command, InvalidArgumentError, Option } from 'commander';
import { counted, requireFolder, syncContent, type SyncOptions, type SyncReport } from './sync-content.ts';
import { watchFolder } from './watch-folder.ts';

interface CommandOptions extends SyncOptions {
  json?: boolean;
  watch?: boolean;
}

/** Exit code of a sync that published the content without the files that `--skip-invalid` skipped. */
const EXIT_CODE_SKIPPED = 2;

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
    .action(async (folder: string, options: CommandOptions) => {
      limitHeapGrowth();
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

async function printSync(folder: string, options: CommandOptions): Promise<void> {
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

function parseSiteUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url;
  throw new InvalidArgumentError('It must be a URL such as https://old.example.');
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
