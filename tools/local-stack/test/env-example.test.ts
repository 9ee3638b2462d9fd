import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stackVariables } from '../src/options.ts';
import { root } from '../src/root.ts';
import { operationsOf, serviceKeys } from '../src/services/services.ts';

const lines = readFileSync(join(root, '.env.example'), 'utf8').split('\n');
const documented = lines.flatMap((line) => /^([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? []);

/** Read by `database prepare` alone, which a running service never needs. */
const operationsOnly = ['ADMINISTRATOR_DATABASE_URL'];

function variablesOf(service: (typeof serviceKeys)[number]): string[] {
  const output = execFileSync(process.execPath, [join(root, operationsOf(service)), 'config', '--json'], {
    encoding: 'utf8',
  });
  return (JSON.parse(output) as { variable: string }[]).map(({ variable }) => variable);
}

it('.env.example documents every variable of the services and of the local stack, once, and no other', () => {
  const read = new Set([...serviceKeys.flatMap(variablesOf), ...operationsOnly, ...stackVariables()]);
  expect([...documented].sort()).toEqual([...read].sort());
});

it('.env.example says of each variable, or of a few together, what it is', () => {
  const undocumented = documented.filter((name) => {
    const at = lines.findIndex((line) => line.startsWith(`${name}=`));
    const above = lines.slice(0, at).findLastIndex((line) => !/^[A-Z]/.test(line));
    return !lines[above]?.startsWith('# ');
  });
  expect(undocumented).toEqual([]);
});
