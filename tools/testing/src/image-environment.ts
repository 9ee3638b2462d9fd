import { readFileSync } from 'node:fs';

/** Memory settings of Node and glibc. They apply from the start of a process, so a service cannot set them itself. */
const SETTING = /\b(NODE_OPTIONS|MALLOC_\w+)=(\S+)/g;

/** Returns the memory settings of the images, for services that run without one. */
export function imageEnvironment(): Record<string, string> {
  const dockerfile = readFileSync(new URL('../../../docker/Dockerfile', import.meta.url), 'utf8');
  return Object.fromEntries([...dockerfile.matchAll(SETTING)].map(([, name, value]) => [name, value]));
}
