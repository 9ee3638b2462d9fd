import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@gpu-observatory/embedded-database';
import { root } from '../../src/root.ts';

export const SERVICES = ['fleet-api', 'account-service', 'website-api'] as const;
export type ServiceName = (typeof SERVICES)[number];

const execute = promisify(execFile);

const programOf = (service: ServiceName, name: 'main' | 'cli') =>
  join(root, 'apps', service, 'dist/src', `${name}.js`);

/** Every variable that a service or its operations read, as its own `cli.js config` says. */
export function variablesOf(service: ServiceName): string[] {
  const { stdout } = spawnSync(process.execPath, [programOf(service, 'cli'), 'config', '--json'], {
    encoding: 'utf8',
  });
  return (JSON.parse(stdout) as { variable: string }[]).map(({ variable }) => variable);
}

/** Whether words are a command of a service's operations, with or without what it is about, as its own help says. */
export async function hasCommand(service: ServiceName, words: string[]): Promise<boolean> {
  const { stdout } = await execute(process.execPath, [programOf(service, 'cli'), ...words, '--help']);
  const [, usage = ''] = /^Usage: (.*)$/m.exec(stdout) ?? [];
  const [path = ''] = usage.split(' [options]');
  // What has commands of its own is none.
  return !usage.includes('[command]') && `${service} ${words.join(' ')} `.startsWith(`${path} `);
}

export interface Start {
  /** Whether it came as far as to listen. */
  listens: boolean;
  /** What it said on standard error, when it refused to start. */
  refusal: string;
  /** What its management port answers to a scrape. */
  metrics: string;
}

/**
 * Starts a service with an environment, on free ports, and stops it again once it has answered one scrape. Nothing that
 * the environment points to has to be there: services start without it.
 */
export async function start(service: ServiceName, environment: Record<string, string>): Promise<Start> {
  const managementPort = await freePort();
  const child = spawn(process.execPath, [programOf(service, 'main')], {
    env: {
      ...environment,
      HOST: '127.0.0.1',
      PORT: '0',
      MANAGEMENT_PORT: String(managementPort),
      ...(environment['INTERNAL_PORT'] !== undefined && { INTERNAL_PORT: '0' }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let refusal = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (refusal += text));
  try {
    const listens = await Promise.race([saysThatItListens(child.stdout), ended.then(() => false)]);
    if (!listens) return { listens, refusal, metrics: '' };
    const response = await fetch(`http://127.0.0.1:${managementPort}/metrics`);
    return { listens, refusal, metrics: await response.text() };
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

async function saysThatItListens(log: NodeJS.ReadableStream): Promise<boolean> {
  let text = '';
  for await (const chunk of log) {
    text += String(chunk);
    if (text.includes('"msg":"listening"')) return true;
  }
  return false;
}
