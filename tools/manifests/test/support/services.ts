import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@gpu-observatory/embedded-database';
import { root } from '../../src/root.ts';

/** Certificate and key for the internal port. */
const CERTIFICATES = join(root, 'apps/account-service/test/support/internal-tls');

export const SERVICES = ['fleet-api', 'account-service', 'website-api'] as const;
export type ServiceName = (typeof SERVICES)[number];

const execute = promisify(execFile);

const programPath = (service: ServiceName, name: 'main' | 'cli') =>
  join(root, 'apps', service, 'dist/src', `${name}.js`);

/** Returns the variables that a service and its operations read, from `cli.js config`. */
export function variablesOf(service: ServiceName): string[] {
  const { stdout } = spawnSync(process.execPath, [programPath(service, 'cli'), 'config', '--json'], {
    encoding: 'utf8',
  });
  return (JSON.parse(stdout) as { variable: string }[]).map(({ variable }) => variable);
}

/** Checks with `--help` whether the arguments begin with a command of the service's operations. */
export async function hasCommand(service: ServiceName, args: string[]): Promise<boolean> {
  const { stdout } = await execute(process.execPath, [programPath(service, 'cli'), ...args, '--help']);
  const [, usage = ''] = /^Usage: (.*)$/m.exec(stdout) ?? [];
  const [path = ''] = usage.split(' [options]');
  // A group of commands is not a command.
  return !usage.includes('[command]') && `${service} ${args.join(' ')} `.startsWith(`${path} `);
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
  const ended = once(child, 'exit');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  try {
    const listens = await Promise.race([waitForListening(child.stdout), ended.then(() => false)]);
    if (!listens) return { listens, errors, metrics: '' };
    const response = await fetch(`http://127.0.0.1:${managementPort}/metrics`);
    return { listens, errors, metrics: await response.text() };
  } finally {
    child.kill('SIGKILL');
    await ended;
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
