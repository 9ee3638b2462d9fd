import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

/** A command line in a page, in one line. */
export interface DocumentedCommand {
  page: string;
  command: string;
}

/** Programs whose commands count in inline code and in comments. */
const PROGRAMS = 'kubectl|helm|docker|fleet|account|npm|buildah|cosign|gh';
const INLINE = new RegExp(`(?<!\`)\`((?:${PROGRAMS}) (?!\`)[^\`]+)\`(?!\`)`, 'g');
const IN_COMMENT = new RegExp(`^# {2,}((?:${PROGRAMS}|cp) .*)$`, 'gm');

/** Pages and example files with commands for operators. */
export function operatorPages(): string[] {
  const named = (folder: string, pattern: RegExp) =>
    readdirSync(join(root, folder))
      .filter((name) => pattern.test(name))
      .map((name) => `${folder}/${name}`);
  return [
    'k8s/README.md',
    ...named('k8s/examples', /\.yaml$/),
    'docker/README.md',
    ...named('docker', /^(Dockerfile|compose\..*)$/),
    ...named('docs', /^(operating.*|releasing)\.md$/),
  ];
}

/** Returns the shell scripts of a page: its `sh` blocks. */
export function scriptsOf(page: string): string[] {
  return [...readFileSync(join(root, page), 'utf8').matchAll(/^( *)```sh\n([^]*?)^\1```/gm)].map(
    ([, indent = '', script = '']) => script.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** Lists the command lines of all pages: in `sh` blocks, in inline code and in comments of example files. */
export function documentedCommands(): DocumentedCommand[] {
  return operatorPages().flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const commands = page.endsWith('.md')
      ? [
          ...scriptsOf(page).flatMap(commandsOf),
          ...[...text.matchAll(INLINE)].map(([, command = '']) => command.replaceAll(/\s+/g, ' ')),
        ]
      : [...text.matchAll(IN_COMMENT)].map(([, command = '']) => withoutComment(command));
    return [...new Set(commands)].map((command) => ({ page, command }));
  });
}

/** Splits a script into commands. Comments, `for` lines and closing keywords are no commands. */
function commandsOf(script: string): string[] {
  return script
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => withoutComment(line).trim())
    .filter((line) => line !== '' && !/^(for .*; do|done|\})$/.test(line));
}

const withoutComment = (line: string) => line.replace(/(^|\s+)# .*$/, '').trimEnd();

/** Splits a command into words without quotes. Pipes and redirections end it. */
export function wordsOf(command: string): string[] {
  const words = (command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) =>
    word.replaceAll(/["']/g, ''),
  );
  const end = words.findIndex((word) => /^([|<>]|2>|&&)/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

/** How a test verifies a command: executed, rendered from the same files, or parsed for files, objects and options. */
export type Verification = 'run' | 'rendered' | 'parsed';

const VERIFICATIONS: [RegExp, Verification][] = [
  [/^helm (template|show) /, 'run'],
  [/^helm upgrade .*-f values-production\.yaml/, 'rendered'],
  [/^helm \w+/, 'parsed'],
  [/^kubectl exec .* -- node dist\/src\/cli\.js /, 'run'],
  [/^kubectl (apply|delete|patch) .*(-f|-k|--patch-file) k8s\//, 'rendered'],
  [/^kubectl \w+/, 'parsed'],
  [/^(operations )?(account|fleet) /, 'run'],
  [/^node tools\/manifests\/src\/release\/notes\.ts /, 'run'],
  [/^(docker|buildah|npm|cp|git|cosign) /, 'parsed'],
  // Definitions of shell variables and functions.
  [/^(export [A-Z]|[A-Z]+=|\w+\(\) \{)/, 'parsed'],
];

/** @throws {Error} for a command that no test verifies */
export function verificationOf(command: string): Verification {
  const found = VERIFICATIONS.find(([pattern]) => pattern.test(command));
  if (!found) throw new Error(`no test verifies this command: ${command}`);
  return found[1];
}

/** Lists all commands with their verification, one line each. */
export function commandList(): string {
  return documentedCommands()
    .map(({ page, command }) => `${page}: ${verificationOf(command).padEnd(8)} ${command}\n`)
    .join('');
}
