import { readFileSync } from 'node:fs';

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
const { packages } = JSON.parse(
  readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Record<string, Entry> };

/** Packages of a registry, by path. */
const registryPackages = Object.entries(packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && !link,
);

/** The compilers of Nx and SWC, which `npm start` installs too. */
const BUILD_TOOL = /^node_modules\/@(nx|swc)\//;

it('has a digest for every package that is not a development or build tool for another platform than Linux on x64', () => {
  const isForLinux = ({ os = ['linux'], cpu = ['x64'], libc = ['glibc'] }: Entry) =>
    os.includes('linux') && libc.includes('glibc') && cpu.includes('x64');
  const unexpected = registryPackages.filter(
    ([path, entry]) =>
      !entry.integrity && (!entry.optional || isForLinux(entry) || !(entry.dev || BUILD_TOOL.test(path))),
  );
  expect(unexpected).toEqual([]);
});

it('names no registry', () => {
  expect(registryPackages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
