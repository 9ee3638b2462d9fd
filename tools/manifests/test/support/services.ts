import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gpu-observatory/embedded-database';
import { root } from '../../src/root.ts';
import type { CommandTree } from './print-commands.ts';

/** Certificate and key for the internal port. */
const CERTIFICATES = join(root, 'apps/account-service/test/support/internal-tls');

export const SERVICES = ['fleet-api', 'account-service', 'website-api'] as const;
export type ServiceName = (typeof SERVICES)[number];

const programPath = (service: ServiceName, name: 'main' | 'cli') =>
  join(root, 'apps', service, 'dist/src', `${name}.js`);

/** Returns the variables that a service and its operations read, from `cli.js config`. */
export function variablesOf(service: ServiceName): string[] {
  const { stdout } = spawnSync(process.execPath, [programPath(service, 'cli'), 'config', '--json'], {
    encoding: 'utf8',
  });
  return (JSON.parse(stdout) as { variable: string }[]).map(({ variable }) => variable);
}

const trees = new Map<ServiceName, CommandTree>();
const printCommands = fileURLToPath(new URL('print-commands.ts', import.meta.url));

function treeOf(service: ServiceName): CommandTree {
  const known = trees.get(service);
  if (known) return known;
  const { stdout } = spawnSync(process.execPath, ['--import', printCommands, programPath(service, 'cli')], {
    encoding: 'utf8',
  });
  const tree = JSON.parse(stdout) as CommandTree;
  trees.set(service, tree);
  return tree;
}

/**
 * Finds the command of the service's operations that the arguments begin with.
 *
 * @returns its options and those of its groups and program, or undefined for a group of commands or an unknown command
 */
export function optionsOfCommand(service: ServiceName, args: string[]): string[] | undefined {
  let tree = treeOf(service);
  const options = ['--help', ...tree.options];
  for (const name of args) {
    const inner = tree.commands[name];
    // Arguments follow the name of a command.
    if (inner === undefined) break;
    tree = inner;
    options.push(...tree.options);
  }
  return Object.keys(tree.commands).length === 0 ? options : undefined;
}

export interface Start {
  /** Whether the service started to listen. */
  listens: boolean;
  /** Standard error. */
  errors: string;
  /** Response of `/metrics`. */
  metrics: string;
}

/**
 * Starts a service on free ports, reads its metrics and stops it. Databases and services that the environment refers to
 * need not exist.
 */
export async function start(service: ServiceName, environment: Record<string, string>): Promise<Start> {
  const managementPort = await freePort();
  const child = spawn(process.execPath, [programPath(service, 'main')], {
    env: {
      ...environment,
      HOST: '127.0.0.1',
      PORT: '0',
      MANAGEMENT_PORT: String(managementPort),
      ...(environment['INTERNAL_PORT'] !== undefined && { INTERNAL_PORT: '0' }),
      ...(environment['INTERNAL_TLS_CERT_FILE'] !== undefined && {
        INTERNAL_TLS_CERT_FILE: join(CERTIFICATES, 'first.crt'),
        INTERNAL_TLS_KEY_FILE: join(CERTIFICATES, 'first.key'),
      }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  try {
    const listens = await Promise.race([waitForListening(child.stdout), closed.then(() => false)]);
    if (!listens) return { listens, errors, metrics: '' };
    const response = await fetch(`http://127.0.0.1:${managementPort}/metrics`);
    return { listens, errors, metrics: await response.text() };
  } finally {
    child.kill('SIGKILL');
    await closed;
  }
}

async function waitForListening(log: NodeJS.ReadableStream): Promise<boolean> {
  let text = '';
  for await (const chunk of log) {
    text += String(chunk);
    if (text.includes('"msg":"listening"')) return true;
  }
  return false;
}
