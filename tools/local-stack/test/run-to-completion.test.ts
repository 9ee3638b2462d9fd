import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { runToCompletion } from '../src/processes/run-to-completion.ts';

it('does not wait for the next line of its input when the program exits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'run-to-completion-'));
  try {
    const script = join(folder, 'exits.mjs');
    writeFileSync(script, 'process.exit(3);\n');
    const stop = new AbortController();
    async function* input() {
      yield 'first';
      await once(stop.signal, 'abort');
    }
    const running = runToCompletion({ name: 'exits', script, logs: folder, input: input() }, stop.signal);
    await expect(running).rejects.toMatchObject({ ending: 'code 3', logFile: join(folder, 'exits.log') });
    stop.abort();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
