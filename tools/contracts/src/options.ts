import { resolve } from 'node:path';
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { ServiceName } from './document/openapi-document.ts';
import { Unusable } from './unusable.ts';

export interface Options {
  service: ServiceName;
  baseUrl: string;
  tokenCommand?: string;
  origin?: string;
  frontendUrl?: string;
  write: boolean;
  junit?: string;
  /** Cases a route; without it the rules are held instead. */
  badInput?: number;
  seed?: number;
}

/** Breaches are 1, so that CI tells them from a run that could not tell. */
export const UNUSABLE_EXIT_CODE = 2;

/**
 * Reads the command line; `--help` ends the process.
 *
 * @throws {Unusable} for a fault in it
 */
export function readOptions(args: string[]): Options {
  const command = new Command('npm run contract --')
    .description('Holds a deployment against its committed OpenAPI document and the rules of the contract.')
    .addArgument(new Argument('<service>', 'which one it is').choices(['fleet', 'account', 'website']))
    .requiredOption('--base-url <url>', 'where it is, such as https://fleet.example.com', httpUrl)
    .option('--token-command <command>', 'prints an access token; without it what needs one is not seen')
    .option('--origin <origin>', 'a browser origin that the deployment allows', originOf)
    .option('--frontend-url <url>', "one of the account service's FRONTEND_URLS", httpUrl)
    .option('--write', 'try what changes data too: API keys, contact requests', false)
    .option('--junit <file>', "also write the findings as JUnit's XML", fromCaller)
    .addOption(
      new Option('--bad-input <cases>', 'send this many hostile requests to each route instead').argParser(
        integerFrom(1),
      ),
    )
    .addOption(new Option('--seed <n>', 'repeat the bad input of an earlier run').argParser(integerFrom(0)))
    .addHelpText(
      'after',
      '\nExit code 0: all hold. 1: a rule is broken. 2: the run could tell nothing; the reason is on standard error.',
    )
    .configureOutput({ writeErr: () => {} })
    .exitOverride();
  try {
    command.parse(args, { from: 'user' });
  } catch (failure) {
    if (!(failure instanceof CommanderError)) throw failure;
    if (failure.exitCode === 0) process.exit();
    throw new Unusable(failure.message);
  }
  return { service: command.args[0] as ServiceName, ...command.opts<Omit<Options, 'service'>>() };
}

function httpUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/$/, '');
  throw new InvalidArgumentError('It should be a URL such as https://fleet.example.com.');
}

function originOf(text: string): string {
  if (URL.canParse(text) && new URL(text).origin === text) return text;
  throw new InvalidArgumentError('It should be scheme, host and port, such as https://app.example.com.');
}

/** A relative path is meant from where the person called npm, which runs us in the root. */
function fromCaller(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

function integerFrom(min: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= min) return Number(text);
    throw new InvalidArgumentError(`It should be an integer from ${min}.`);
  };
}
