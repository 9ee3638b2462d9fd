// Preloaded with `node --import`: makes a command line print its commands as JSON instead of running one.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

interface CommandType {
  name(): string;
  options: { short?: string; long?: string }[];
  commands: CommandType[];
}

/** The copy that the services create their command lines with. */
const require = createRequire(new URL('../../../../libs/service-runtime/package.json', import.meta.url));
const { Command } = (await import(pathToFileURL(require.resolve('commander')).href)) as {
  Command: { prototype: { parseAsync(): unknown } };
};

/** A command, or a group of commands. */
export interface CommandTree {
  /** Such as `--dry-run`. */
  options: string[];
  commands: Record<string, CommandTree>;
}

const treeOf = (command: CommandType): CommandTree => ({
  options: command.options.flatMap(({ short, long }) => [short, long].filter((name) => name !== undefined)),
  commands: Object.fromEntries(command.commands.map((inner) => [inner.name(), treeOf(inner)])),
});

Command.prototype.parseAsync = function (this: CommandType) {
  console.log(JSON.stringify(treeOf(this)));
  return Promise.resolve(this);
};
