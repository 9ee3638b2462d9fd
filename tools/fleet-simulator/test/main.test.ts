import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { simulateHistory } from '../src/index.ts';
import { demoNow, demoTenants } from './support/demo-tenants.ts';
import { startSimulator } from './support/simulator-process.ts';

const now = ['--now', demoNow.toISOString()];
const small = ['--hosts', '10', '--gpus', '20', '--alerts', '50', '--days', '3'];

test('history writes the lines of simulateHistory', async () => {
  const simulator = startSimulator(['history', ...now, ...small, '--seed', '7']);
  const [output] = await Promise.all([text(simulator.stdout), once(simulator, 'exit')]);
  const options = { now: demoNow, tenants: demoTenants, hosts: 10, gpus: 20, alerts: 50, days: 3, seed: 7 };
  expect(output).toBe([...simulateHistory(options)].map((line) => `${line}\n`).join(''));
  expect(simulator.exitCode).toBe(0);
});

test('SIGTERM ends the process even if its output is not read', async () => {
  const simulator = startSimulator(['history', ...now]);
  await once(simulator.stdout, 'readable');
  simulator.kill('SIGTERM');
  expect(await once(simulator, 'exit')).toEqual([0, null]);
});

test('SIGTERM ends the output after a whole line', async () => {
  const simulator = startSimulator(['history', ...now]);
  const output = text(simulator.stdout);
  await once(simulator.stdout, 'data');
  simulator.kill('SIGTERM');
  expect(await once(simulator, 'exit')).toEqual([0, null]);
  expect((await output).endsWith('}\n')).toBe(true);
});

test('a closed pipe ends the process without an error message', async () => {
  const simulator = startSimulator(['history', ...now]);
  await once(simulator.stdout, 'data');
  simulator.stdout.destroy();
  const [complaint] = await Promise.all([text(simulator.stderr), once(simulator, 'exit')]);
  expect([simulator.exitCode, complaint]).toEqual([0, '']);
});

test('live backfills the time since --since and runs until SIGTERM', async () => {
  const since = new Date(Date.now() - 90_000).toISOString();
  const simulator = startSimulator(['live', '--now', since, '--since', since, ...small]);
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
  [['history'], /--now must be an RFC 3339 time/],
  [['history', '--now', '2026-11-21'], /--now must be an RFC 3339 time/],
  [['tomorrow', ...now], /The first argument must be history or live/],
  [['history', ...now, '--gpus', 'many'], /--gpus must be a non-negative integer, got "many"/],
  [['history', ...now, '--color', 'red'], /--color/],
])('rejects %j with a reason', async (args, reason) => {
  const simulator = startSimulator(args);
  const [complaint] = await Promise.all([text(simulator.stderr), once(simulator, 'exit')]);
  expect(simulator.exitCode).toBe(1);
  expect(complaint).toMatch(reason);
});

test.each([
  ['not JSON', /--tenants must be JSON: standard input is not/],
  ['[]', /tenants must list at least one customer/],
  ['{"customer_id": 1}', /tenants must be a list/],
  ['[{"customer_id": 1, "workspaces": []}]', /customer 1 must have at least one workspace/],
  [
    '[{"customer_id": 1, "workspaces": [{"workspace_id": 0, "name": "a", "api_key_ids": []}]}]',
    /workspace_id must be/,
  ],
  [
    '[{"customer_id": 1, "workspaces": [{"workspace_id": 1}]}]',
    /workspace 1 must have a name and api_key_ids/,
  ],
])('rejects the tenants %s with a reason', async (tenants, reason) => {
  const simulator = startSimulator(['history', ...now], tenants);
  const [complaint] = await Promise.all([text(simulator.stderr), once(simulator, 'exit')]);
  expect(simulator.exitCode).toBe(1);
  expect(complaint).toMatch(reason);
});
