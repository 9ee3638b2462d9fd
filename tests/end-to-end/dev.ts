import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@gpu-observatory/local-stack';
import { childrenOf, commandOf, StackProgram, until } from './support/stack-program.ts';
import type { SharedStack } from './shared-stack.ts';

export function describeDev(shared: SharedStack): void {
  describe('npm run dev', () => {
    const source = join(root, 'apps/website-api/src/main.ts');
    const website = () =>
      childrenOf(shared.program.pid).find((pid) => commandOf(pid).includes('website-api/dist/src/main.js'));

    it('restarts a service of the running stack after each change, also one that crashed', async () => {
      const { dataDirectory } = shared.sandbox;
      const program = new StackProgram('dev', ['website-api', '--data-directory', dataDirectory]);
      const restarts = () => program.output.match(/website-api restarted in [\d.]+ s\.\n/g)?.length ?? 0;
      const change = () => utimesSync(source, new Date(), new Date());
      await until(() => program.output.includes('Watching apps/website-api/src and libs.'));
      expect(restarts()).toBe(1);

      const first = website();
      change();
      await until(() => restarts() === 2);
      const second = website();
      expect(second).not.toBe(first);

      process.kill(second!, 'SIGKILL');
      await until(() =>
        shared.program.errors.includes(
          'website-api exited with SIGKILL. It starts again after the next change.',
        ),
      );
      change();
      await until(() => restarts() === 3);
      expect((await fetch(`${shared.sandbox.stack().site_url}/api/posts`)).status).toBe(200);
      program.kill('SIGTERM');
      expect(await program.ended).toBe('SIGTERM');
    });

    it('rejects an unknown service, and a data directory without a stack', async () => {
      const unknown = new StackProgram('dev', ['billing']);
      expect(await unknown.ended).toBe(1);
      expect(unknown.errors).toContain('Allowed choices are fleet-api, account-service, website-api.');
      const without = new StackProgram('dev', ['fleet-api', '--data-directory', '/nonexistent']);
      expect(await without.ended).toBe(1);
      expect(without.errors).toMatch(/^No stack is ready in \/nonexistent: /);
    });
  });
}
