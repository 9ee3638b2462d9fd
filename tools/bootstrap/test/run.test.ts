import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { enter, lock, makeClone, writeJson, writeProgram } from './support/clone.ts';

let clone: string;

beforeAll(() => {
  clone = makeClone();
});

afterAll(() => rmSync(clone, { recursive: true }));

const nxCalls = () => readFileSync(join(clone, 'nx-calls.txt'), 'utf8').trim().split('\n');

/** Runs until it says that it is ready, then notes the signals it gets and ends in its own time. */
const server = `
let signals = [];
const alive = setInterval(() => {}, 1000);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
  signals.push(signal);
  if (signals.length === 1) setTimeout(() => { console.log(signals.join()); clearInterval(alive); process.exit(3); }, 900);
});
console.log('ready');
`;

test('installs and builds on a fresh clone, also for NODE_ENV=production, then only builds', async () => {
  writeProgram(clone, `console.log('up' as string);`);
  const first = await enter(clone, ['start'], { NODE_ENV: 'production' }).ended;
  expect(first.stdout).toBe('up\n');
  expect(first.stderr).toContain('Installing packages');
  expect(first.exitCode).toBe(0);

  const second = await enter(clone, ['start']).ended;
  expect(second).toEqual({ exitCode: 0, stdout: 'up\n', stderr: '' });
  expect(nxCalls()).toEqual(Array(2).fill('run-many -t build --output-style=static'));
});

test('installs again when the lockfile asks for more', async () => {
  mkdirSync(join(clone, 'extra'));
  writeJson(join(clone, 'extra', 'package.json'), { name: 'extra', version: '1.0.0' });
  writeJson(join(clone, 'package.json'), {
    name: 'clone',
    devDependencies: { nx: 'file:nx', extra: 'file:extra' },
  });
  lock(clone);
  const { stderr } = await enter(clone, ['start']).ended;
  expect(stderr).toContain('Installing packages');
});

test('passes arguments, standard input and the exit code through', async () => {
  writeProgram(
    clone,
    `let text = '';
     for await (const chunk of process.stdin) text += chunk;
     console.log(JSON.stringify({ args: process.argv.slice(2), text }));
     process.exitCode = 7;`,
  );
  const { child, ended } = enter(clone, ['start', '--flag', 'two words', '-']);
  child.stdin!.end('from a pipe');
  const { exitCode, stdout } = await ended;
  expect(JSON.parse(stdout)).toEqual({ args: ['--flag', 'two words', '-'], text: 'from a pipe' });
  expect(exitCode).toBe(7);
});

test('runs the program with Node 24 and finds the project programs first', async () => {
  writeProgram(clone, `console.log(process.version + ' ' + process.env.PATH);`);
  const { stdout } = await enter(clone, ['start']).ended;
  expect(stdout).toMatch(/^v24\./);
  expect(stdout).toContain(` ${join(clone, 'node_modules', '.bin')}:`);
});

test('passes a Ctrl-C on once, however often it comes, and waits for the program', async () => {
  writeProgram(clone, server);
  const { child, ended } = enter(clone, ['start']);
  await once(child.stdout!, 'data');
  child.kill('SIGINT');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ exitCode: 3, stdout: 'ready\nSIGINT\n' });
});

test('stops the program when the door itself is killed', async () => {
  writeProgram(clone, server);
  const { child, ended } = enter(clone, ['start']);
  await once(child.stdout!, 'data');
  child.kill('SIGKILL');
  // The pipe closes when the program, which holds it too, has ended.
  expect((await ended).stdout).toBe('ready\nSIGTERM\n');
});

test('waits for another command that is installing or building', async () => {
  writeProgram(clone, `console.log('up');`);
  rmSync(join(clone, 'node_modules'), { recursive: true });
  const both = await Promise.all([enter(clone, ['start']).ended, enter(clone, ['start']).ended]);
  expect(both.map(({ stdout }) => stdout)).toEqual(['up\n', 'up\n']);
  const said = both.map(({ stderr }) => stderr).join('');
  expect(said.match(/Installing packages/g)).toHaveLength(1);
  expect(said).toMatch(/Process \d+ is installing or building here; waiting for it\./);
});

test('is not held up by the lock of a command that was killed', async () => {
  writeFileSync(join(clone, '.nx', 'bootstrap.lock'), '4194303');
  expect((await enter(clone, ['start']).ended).stdout).toBe('up\n');
});

test('shows what a failing build says, and goes no further', async () => {
  writeFileSync(join(clone, 'broken'), '');
  const { exitCode, stdout, stderr } = await enter(clone, ['start']).ended;
  rmSync(join(clone, 'broken'));
  expect(stderr).toBe('what the build says\nThe build failed (see above).\n');
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
});

test('names the commands there are', async () => {
  expect(await enter(clone, ['begin']).ended).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'Unknown command "begin": use one of start, test, import, contract, scale-check, sbom, bench, token.\n',
  });
});

test('names the Node to install where the one at hand is too old', async () => {
  const old = join(clone, 'old-node.mjs');
  writeFileSync(old, `Object.defineProperty(process.versions, 'node', { value: '20.18.3' });`);
  const { exitCode, stderr } = await enter(clone, ['start'], { NODE_OPTIONS: `--import "${old}"` }).ended;
  expect(stderr).toBe(
    'Node 20.18.3 is too old: install Node 20.19 or later (https://nodejs.org), then try again.\n',
  );
  expect(exitCode).toBe(1);
});
