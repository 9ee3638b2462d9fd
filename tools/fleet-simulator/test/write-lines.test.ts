import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { simulateHistory, simulateLive, writeLines } from '../src/index.ts';
import { demoNow, demoTenants } from './support/demo-tenants.ts';

const small = { now: demoNow, tenants: demoTenants, hosts: 10, gpus: 20, alerts: 50, days: 3 };
const never = new AbortController().signal;

test('writes the lines of a history and ends the output', async () => {
  const output = new PassThrough();
  const [written] = await Promise.all([text(output), writeLines(simulateHistory(small), output, never)]);
  expect(written).toBe([...simulateHistory(small)].map((line) => `${line}\n`).join(''));
});

test('writes whole lines of a live feed until it is stopped', async () => {
  const stop = new AbortController();
  const now = new Date(Date.now() - 90_000);
  const output = new PassThrough();
  output.once('data', () => stop.abort());
  const live = simulateLive({ ...small, now }, { signal: stop.signal });
  const [written] = await Promise.all([text(output), writeLines(live, output, stop.signal)]);
  const lines = written.split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('kind');
});

test('ends the output after a whole line when it is stopped', async () => {
  const stop = new AbortController();
  const output = new PassThrough();
  output.once('data', () => stop.abort());
  const [written] = await Promise.all([
    text(output),
    writeLines(simulateHistory(small), output, stop.signal),
  ]);
  expect(written.endsWith('}\n')).toBe(true);
  expect(written.length).toBeLessThan([...simulateHistory(small)].join('\n').length);
});

test.each(['process.stdin.once("data", () => process.exit())', 'process.exit()'])(
  'ends without an error when its reader exits: %s',
  async (code) => {
    const reader = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'ignore', 'ignore'] });
    await Promise.all([once(reader, 'exit'), writeLines(simulateHistory(small), reader.stdin, never)]);
  },
);

test('throws errors of the lines and of the output', async () => {
  const options = { ...small, tenants: [] };
  const reason = 'tenants must have at least one workspace';
  await expect(writeLines(simulateHistory(options), new PassThrough(), never)).rejects.toThrow(reason);
  const output = new PassThrough({ transform: (_chunk, _encoding, done) => done(new Error('disk full')) });
  await expect(writeLines(simulateHistory(small), output, never)).rejects.toThrow('disk full');
});
