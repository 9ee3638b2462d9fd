import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { packagesWithoutDigest } from '../fill-integrity.mjs';
import { writeJson } from './support/clone.ts';

interface Entry {
  version: string;
  resolved?: string;
  link?: boolean;
  integrity?: string;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}
interface Lockfile {
  packages: Record<string, Entry>;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const lockfile = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile;

/** The compilers of Nx and SWC, which `npm start` installs too. */
const BUILD_TOOL = /^node_modules\/@(nx|swc)\//;

it('has a digest for every package that is not a development or build tool for another platform than Linux on x64', () => {
  const isForLinux = ({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }: Entry) =>
    os.includes('linux') && libc.includes('glibc') && cpu.includes('x64');
  const unexpected = packagesWithoutDigest(lockfile).filter(
    ([path, entry]) => !entry.optional || isForLinux(entry as Entry) || !(entry.dev || BUILD_TOOL.test(path)),
  );
  expect(unexpected).toEqual([]);
});

it('names no registry', () => {
  const named = Object.entries(lockfile.packages).filter(
    ([path, { link, resolved }]) => path.includes('node_modules/') && !link && resolved !== undefined,
  );
  expect(named).toEqual([]);
});

it('gets missing digests from the registry, and lists packages that the registry does not have', async () => {
  const registry = createServer((request, response) => {
    if (request.url !== '/present') return void response.writeHead(404).end('{}');
    const version = { name: 'present', version: '1.2.3', dist: { integrity: 'sha512-YQ==', tarball: 'x' } };
    response.end(
      JSON.stringify({ name: 'present', 'dist-tags': { latest: '1.2.3' }, versions: { '1.2.3': version } }),
    );
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'lockfile-'));
  try {
    mkdirSync(join(folder, 'tools/bootstrap'), { recursive: true });
    for (const file of ['fill-integrity.mjs', 'root.mjs'])
      cpSync(join(root, 'tools/bootstrap', file), join(folder, 'tools/bootstrap', file));
    writeJson(join(folder, 'package-lock.json'), {
      packages: {
        'node_modules/present': { version: '1.2.3', dev: true },
        'node_modules/a/node_modules/absent': { version: '2.0.0' },
        'node_modules/known': { version: '1.0.0', integrity: 'sha512-Yg==' },
      },
    });
    const child = spawn(process.execPath, [join(folder, 'tools/bootstrap/fill-integrity.mjs')], {
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
      },
    });
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([code, errors]).toEqual([1, 'absent@2.0.0 has no digest.\n']);
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as Lockfile;
    expect(packages['node_modules/present']).toEqual({
      version: '1.2.3',
      integrity: 'sha512-YQ==',
      dev: true,
    });
    expect(packagesWithoutDigest({ packages }).map(([path]) => path)).toEqual([
      'node_modules/a/node_modules/absent',
    ]);
  } finally {
    registry.close();
    rmSync(folder, { recursive: true });
  }
});
