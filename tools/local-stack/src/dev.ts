// `npm run dev -- SERVICE`: watches the sources of a service and of the libraries, and restarts the service of the running
// stack after each change.
import { readdirSync, watch } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Argument, Command } from 'commander';
import { dataDirectoryAt } from './data-directory.ts';
import { compileFile, type SourceFolder } from './dev/compile.ts';
import { errorMessage } from './errors.ts';
import { dataDirectoryOption, ignoreEmptyVariables } from './options.ts';
import { root } from './root.ts';
import { requestRestart } from './services/restart-request.ts';
import { serviceKeys, services } from './services/services.ts';
import { readRunningStack } from './stack-file.ts';

/** An editor may write several files at once. */
const DEBOUNCE_MS = 30;
const READY_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 20;

const program = new Command('npm run dev --')
  .description('Watch the sources of a service and restart it in the running stack after each change.')
  .addArgument(new Argument('<service>', 'service').choices(Object.values(services)))
  .addOption(dataDirectoryOption());
ignoreEmptyVariables(program);
program.parse();
const service = program.args[0]!;
const { dataDirectory } = program.opts<{ dataDirectory: string }>();
const key = serviceKeys.find((each) => services[each] === service)!;

const folders: SourceFolder[] = [
  { source: join(root, 'apps', service, 'src'), compiled: join(root, 'apps', service, 'dist/src') },
  ...readdirSync(join(root, 'libs')).map((library) => ({
    source: join(root, 'libs', library, 'src'),
    compiled: join(root, 'libs', library, 'dist'),
  })),
];
const changed = new Map<string, SourceFolder>();
let wake = Promise.withResolvers<void>();

try {
  readRunningStack(dataDirectory);
  for (const folder of folders) {
    watch(folder.source, { recursive: true }, (_event, name) => {
      if (name === null) return;
      changed.set(join(folder.source, name), folder);
      wake.resolve();
    });
  }
  // The build may be newer than the running process.
  await restart(performance.now());
  console.log(`Watching apps/${service}/src and libs. Ctrl-C stops.`);
  for (;;) {
    await wake.promise;
    const changedAt = performance.now();
    await sleep(DEBOUNCE_MS);
    wake = Promise.withResolvers();
    const files = [...changed];
    changed.clear();
    if (await compile(files)) await restart(changedAt);
  }
} catch (failure) {
  console.error(errorMessage(failure));
  process.exit(1);
}

/** @returns false when a file does not compile, after printing the error */
async function compile(files: [file: string, folder: SourceFolder][]): Promise<boolean> {
  try {
    await Promise.all(files.map(([file, folder]) => compileFile(folder, file)));
    return true;
  } catch (failure) {
    console.error((failure as Error).message);
    return false;
  }
}

/** @param since start of the time that is printed */
async function restart(since: number): Promise<void> {
  const stack = readRunningStack(dataDirectory);
  const { restartFile, logs } = dataDirectoryAt(dataDirectory);
  await requestRestart(restartFile, stack.pid, service);
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline && changed.size === 0) {
    const response = await fetch(`${stack.management_urls[key]}/readyz`).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) {
      console.log(`${service} restarted in ${((performance.now() - since) / 1000).toFixed(1)} s.`);
      return;
    }
    await sleep(POLL_INTERVAL_MS);
  }
  if (changed.size === 0)
    console.error(`${service} is not ready: see ${relative(process.cwd(), join(logs, `${service}.log`))}.`);
}
