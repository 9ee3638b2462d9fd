import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../src/root.ts';
import { scriptsOf } from '../../src/scripts-of.ts';

/** A command line in a page, in one line. */
interface DocumentedCommand {
  page: string;
  command: string;
}

/** Programs whose commands count in inline code and in comments. */
const PROGRAMS = 'kubectl|helm|docker|fleet|account|npm|buildah|cosign|gh|sh';
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

/** Commands that a test runs, renders or checks for the files, objects and options that they refer to. */
const VERIFIED: RegExp[] = [
  /^(helm|kubectl) \w+/,
  /^(operations )?(account|fleet) /,
  /^node tools\/manifests\/src\/release\/notes\.ts /,
  /^(docker|buildah|npm|cp|git|cosign|kind load) /,
  /^grep [A-Z_]+ docker\/\.env$/,
  /^(TRIAL=true |\[ -e docker\/\.env \] \|\| \(umask 077 && )?sh (k8s|docker)\/create-\w+\.sh/,
  // Definitions of shell variables and functions.
  /^(export [A-Z]|[A-Z]+=|\w+\(\) \{)/,
];

/** Returns whether a test verifies a command. */
export function isVerified(command: string): boolean {
  return VERIFIED.some((pattern) => pattern.test(command));
}
