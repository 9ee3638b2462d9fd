import { spawnSync } from 'node:child_process';

it('does not wait for the current check when it is interrupted', () => {
  // In a process of its own, because node:test sets the exit code of the process and prints to its output.
  const program = `
    import { Interruption, runChecks } from ${JSON.stringify(import.meta.resolve('../src/run-checks.ts'))};
    const abort = new AbortController();
    const slow = () => new Promise((resolve) => setTimeout(() => resolve('seen'), 60_000));
    const checks = [{ claim: 'is slow', run: slow }, { claim: 'is next', run: slow }];
    process.once('SIGINT', () => abort.abort(new Interruption('SIGINT')));
    setTimeout(() => process.kill(process.pid, 'SIGINT'), 100);
    await runChecks(checks, {}, abort.signal).catch(({ signal }) => {
      console.error(signal);
      process.exit(130);
    });
  `;
  const options = { encoding: 'utf8', timeout: 20_000 } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', program],
    options,
  );
  expect({ status, stderr }).toEqual({ status: 130, stderr: 'SIGINT\n' });
  expect(stdout).toContain('is slow');
  expect(stdout).not.toMatch(/is next|seen|undefined/);
});
