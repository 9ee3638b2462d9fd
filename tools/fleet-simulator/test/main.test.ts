import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { simulateHistory } from '../src/index.ts';
import { demoNow, demoTenants } from './support/demo-tenants.ts';
import { startSimulator } from './support/simulator-process.ts';

const small = { hosts: 10, gpus: 20, alerts: 50, days: 3 };

test('history writes the lines of simulateHistory', async () => {
  const simulator = startSimulator('history', { ...small, seed: 7 });
  const [output] = await Promise.all([text(simulator.stdout), once(simulator, 'exit')]);
  const options = { now: demoNow, tenants: demoTenants, ...small, seed: 7 };
  expect(output).toBe([...simulateHistory(options)].map((line) => `${line}\n`).join(''));
  expect(simulator.exitCode).toBe(0);
});

test('SIGTERM ends the process even if its output is not read', async () => {
  const simulator = startSimulator('history');
  await once(simulator.stdout, 'readable');
  simulator.kill('SIGTERM');
  expect(await once(simulator, 'exit')).toEqual([0, null]);
});

test('SIGTERM ends the output after a whole line', async () => {
  const simulator = startSimulator('history');
  const output = text(simulator.stdout);
  await once(simulator.stdout, 'data');
  simulator.kill('SIGTERM');
  expect(await once(simulator, 'exit')).toEqual([0, null]);
  expect((await output).endsWith('}\n')).toBe(true);
});

test('a closed pipe ends the process without an error message', async () => {
  const simulator = startSimulator('history');
  await once(simulator.stdout, 'data');
  simulator.stdout.destroy();
  const [complaint] = await Promise.all([text(simulator.stderr), once(simulator, 'exit')]);
  expect([simulator.exitCode, complaint]).toEqual([0, '']);
});

test('live backfills the time since `since` and runs until SIGTERM', async () => {
  const since = new Date(Date.now() - 90_000).toISOString();
  const simulator = startSimulator('live', { now: since, since, ...small });
  const output = text(simulator.stdout);
  await once(simulator.stdout, 'data');
  simulator.kill('SIGTERM');
  expect(await once(simulator, 'exit')).toEqual([0, null]);
  const lines = (await output).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('kind');
});

test.each([
  ['tomorrow', {}, /^Usage: node src\/main.ts history\|live/],
  ['history', { now: undefined }, /now must be a valid date/],
  ['history', { gpus: 'many' }, /gpus must be an integer from 64 to 1000000, got many/],
  ['history', { tenants: [] }, /tenants must have at least one workspace/],
])('rejects %s %j with a reason', async (mode, options, reason) => {
  const simulator = startSimulator(mode, options);
  const [complaint] = await Promise.all([text(simulator.stderr), once(simulator, 'exit')]);
  expect(simulator.exitCode).toBe(1);
  expect(complaint).toMatch(reason);
});
