import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, startEmbeddedDatabase, withClient } from '@gpu-observatory/embedded-database';
import type { ComposeProject, ComposeService } from './compose.ts';
import { IMAGES } from '../../src/images/images.ts';
import { root } from '../../src/root.ts';

/** Programs of the images whose services set none. */
const PROGRAMS: Record<string, string> = { console: 'server/main.ts' };

/** Services of a Compose project as processes, with an embedded database. */
export interface ComposeProcesses {
  /** URL of a published port, by its URL in the Compose file. */
  url(published: string): string;
  /** Output of a process until now. */
  outputOf(service: string): string;
  stop(): Promise<void>;
}

interface Running {
  child: ChildProcess;
  exited: Promise<number | null>;
  output: string;
}

/**
 * Runs a Compose project without Docker: each container's command as a process in the folder that its image has, in the
 * order of `depends_on`. Ports and hostnames are replaced by those of this machine.
 */
export async function runCompose(project: ComposeProject, password: string): Promise<ComposeProcesses> {
  const directory = mkdtempSync(join(tmpdir(), 'compose-'));
  const database = await startEmbeddedDatabase({
    dataDirectory: directory,
    port: await freePort(),
    superuserPassword: password,
  });
  await withClient(database.adminUrl, (client) => client.query('CREATE DATABASE gpu_observatory'));
  const addresses: [from: string, to: string][] = [['postgres:5432', new URL(database.adminUrl).host]];
  const ports: Record<string, { PORT: string; MANAGEMENT_PORT: string; INTERNAL_PORT: string }> = {};
  const services = Object.entries(project.services).filter(
    ([name, { profiles }]) => name !== 'postgres' && profiles === undefined,
  );
  for (const [name, service] of services) {
    const [PORT = '', MANAGEMENT_PORT = '', INTERNAL_PORT = ''] = (
      await Promise.all([freePort(), freePort(), freePort()])
    ).map(String);
    ports[name] = { PORT, MANAGEMENT_PORT, INTERNAL_PORT };
    addresses.push([`${name}:8080`, `127.0.0.1:${PORT}`], [`${name}:9091`, `127.0.0.1:${INTERNAL_PORT}`]);
    for (const published of service.ports ?? [])
      addresses.push([`localhost:${published.split(':').at(-2)}`, `localhost:${PORT}`]);
  }
  const local = (text: string) => addresses.reduce((value, [from, to]) => value.replaceAll(from, to), text);
  const running: Record<string, Running> = {};

  const start = (name: string, service: ComposeService) => {
    const { workspace } = IMAGES[/\/([^/:]+):/.exec(service.image)![1]!]!;
    const command = service.command ?? [PROGRAMS[name] ?? 'dist/src/main.js'];
    const entries = Object.entries(service.environment ?? {}).map(([key, value]) => [
      key,
      local(String(value ?? '')),
    ]);
    const child = spawn(process.execPath, [...(service.entrypoint ?? ['node']).slice(1), ...command], {
      cwd: join(root, workspace),
      env: { ...(Object.fromEntries(entries) as Record<string, string>), HOST: '127.0.0.1', ...ports[name] },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const process_: Running = {
      child,
      output: '',
      exited: once(child, 'exit').then(([code]) => code as number),
    };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (process_.output += text));
    running[name] = process_;
  };

  const isReady = async (name: string): Promise<boolean> =>
    (await fetch(`http://127.0.0.1:${ports[name]!.MANAGEMENT_PORT}/readyz`).catch(() => undefined))?.ok ===
    true;
  /** @throws {Error} with the output of a process that fails */
  const reach = async (name: string, condition: string): Promise<void> => {
    const { exited } = running[name]!;
    if (condition === 'service_completed_successfully') {
      if ((await exited) !== 0) throw new Error(`${name} failed: ${running[name]!.output}`);
      return;
    }
    while (!(await isReady(name))) {
      if ((await Promise.race([exited, sleep(200, 'running')])) !== 'running')
        throw new Error(`${name} failed: ${running[name]!.output}`);
    }
  };
  const stop = async () => {
    for (const { child } of Object.values(running)) child.kill('SIGTERM');
    await Promise.all(Object.values(running).map(({ exited }) => exited));
    await database.stop();
    rmSync(directory, { recursive: true, force: true });
  };

  try {
    const waiting = new Map(services);
    while (waiting.size > 0) {
      for (const [name, service] of waiting) {
        const needed = Object.entries(service.depends_on ?? {}).filter(([other]) => other !== 'postgres');
        if (needed.some(([other]) => waiting.has(other))) continue;
        for (const [other, { condition }] of needed) await reach(other, condition);
        start(name, service);
        waiting.delete(name);
      }
    }
    // As `--wait` does.
    for (const [name, { entrypoint }] of services) if (!entrypoint) await reach(name, 'service_healthy');
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: local, outputOf: (name) => running[name]!.output, stop };
}
