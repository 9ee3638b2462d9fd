import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCommand } from '../src/options.ts';
import { root } from '../src/root.ts';
import { operationsOf, serviceKeys } from '../src/services/services.ts';

const lines = readFileSync(join(root, '.env.example'), 'utf8').split('\n');
const documented = lines.flatMap((line) => /^([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? []);

/** Read only by `database prepare`, and not listed by `config`. */
const operationsOnly = ['ADMINISTRATOR_DATABASE_URL'];

function variablesOf(service: (typeof serviceKeys)[number]): string[] {
  const output = execFileSync(process.execPath, [join(root, operationsOf(service)), 'config', '--json'], {
    encoding: 'utf8',
  });
  return (JSON.parse(output) as { variable: string }[]).map(({ variable }) => variable);
}

it('.env.example contains exactly the variables of the services and of the local stack', () => {
  const ofStack = startCommand().options.flatMap(({ envVar }) => envVar ?? []);
  const read = new Set([...serviceKeys.flatMap(variablesOf), ...operationsOnly, ...ofStack]);
  expect([...documented].sort()).toEqual([...read].sort());
});

it('.env.example has a comment above each variable or group of variables', () => {
  const undocumented = documented.filter((name) => {
    const at = lines.findIndex((line) => line.startsWith(`${name}=`));
    const above = lines.slice(0, at).findLastIndex((line) => !/^[A-Z]/.test(line));
    return !lines[above]?.startsWith('# ');
  });
  expect(undocumented).toEqual([]);
});
