import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { portsFrom, refuseTakenPorts } from '../../src/ports.ts';
import { childrenOf, commandOf, isRunning, StackProgram, until } from '../support/stack-process.ts';
import { getJson, tokenOf } from './requests.ts';
import type { SmallStack } from './small-stack.ts';

/** 15 s are promised on two free cores; other tests run beside these, and a slower machine took longer at first too. */
const NEXT_START_WITHIN_MS = 30_000;

export function describeStopping(small: SmallStack): void {
  describe('a stack that stops', () => {
    let session: string;

    it('leaves no process on SIGTERM, and says so with exit code 0', async () => {
      const parts = childrenOf(small.program.pid);
      if (process.platform === 'linux') expect(parts.length).toBeGreaterThanOrEqual(6);
      session = await tokenOf(small, 'ada@acme.example', '--json');
      small.program.kill('SIGTERM');
      expect(await small.program.ended).toBe(0);
      expect(parts.filter(isRunning)).toEqual([]);
      await refuseTakenPorts(portsFrom(small.place.portBase));
      expect(readdirSync(small.place.dataDirectory).sort()).toEqual([
        'database',
        'logs',
        'rejects',
        'secrets.json',
      ]);
    });

    it('is not started while somebody has one of its ports', async () => {
      const port = small.place.portBase + 2;
      const somebody = createServer().listen(port, '127.0.0.1');
      await once(somebody, 'listening');
      const program = new StackProgram('main', [...small.place.flags]);
      expect(await program.ended).toBe(1);
      somebody.close();
      expect(program.errors).toBe(
        `Port ${port} (account-service) is taken: stop what listens there, or start with another --port-base, such as ${small.place.portBase + 1_000}.\n`,
      );
    });

    it('is not given another fleet than it has', async () => {
      const program = new StackProgram('main', [...small.place.flags, '--gpus', '13']);
      expect(await program.ended).toBe(1);
      expect(program.errors).toContain(
        'The simulated fleet that is there has --gpus 12, not 13: start with --reset for another fleet, or leave --gpus out.\n',
      );
      await refuseTakenPorts(portsFrom(small.place.portBase));
    });

    it('is soon ready again with its data, and sessions go on', async () => {
      const startedAt = Date.now();
      small.program = new StackProgram('main', small.place.flags);
      await small.program.untilReady();
      expect(Date.now() - startedAt).toBeLessThan(Math.max(NEXT_START_WITHIN_MS, small.firstStartMs));
      expect(small.program.errors).not.toContain('History');
      const { access_token: bearer } = JSON.parse(session) as { access_token: string };
      expect(await getJson(`${small.place.stack().fleet_url}/api/v1/gpus?view=basic`, bearer)).toMatchObject({
        status: 200,
        body: { gpus: expect.arrayContaining([expect.objectContaining({ hostname: 'imported-host' })]) },
      });
    });

    it('takes its parts along when it is killed, and starts again', async () => {
      const parts = childrenOf(small.program.pid);
      small.program.kill('SIGKILL');
      expect(await small.program.ended).toBe('SIGKILL');
      small.program = new StackProgram('main', small.place.flags);
      await small.program.untilReady();
      expect(parts.filter(isRunning)).toEqual([]);
      expect(small.place.stack().pid).toBe(small.program.pid);
    });

    it('begins its live feed anew when that breaks off', async () => {
      const simulator = () =>
        childrenOf(small.program.pid).find((pid) => commandOf(pid).includes('fleet-simulator'));
      await until(() => simulator() !== undefined);
      const first = simulator()!;
      process.kill(first, 'SIGKILL');
      await until(() =>
        small.program.errors.includes('The live feed broke off (live-simulator ended with SIGKILL'),
      );
      await until(() => simulator() !== undefined && simulator() !== first);
    });

    it('stops by itself when a service dies, with the end of its log', async () => {
      const parts = childrenOf(small.program.pid);
      const { management_urls } = small.place.stack();
      const service = parts.find((pid) => commandOf(pid).includes('website-api'));
      process.kill(service!, 'SIGKILL');
      expect(await small.program.ended).toBe(1);
      expect(small.program.errors).toMatch(
        /website-api has ended with SIGKILL; the end of .*website-api\.log:\n.*listening/s,
      );
      expect(parts.filter(isRunning)).toEqual([]);
      await expect(fetch(`${management_urls.fleet}/livez`)).rejects.toThrow();
    });

    it('ends a start that is interrupted', async () => {
      small.program = new StackProgram('main', small.place.flags);
      await until(() => small.program.errors.includes('Schema of fleet-api'));
      const parts = childrenOf(small.program.pid);
      small.program.kill('SIGINT');
      small.program.kill('SIGTERM'); // the same wish, in another way
      expect(await small.program.ended).toBe(0);
      expect(parts.filter(isRunning)).toEqual([]);
      expect(small.program.errors).toContain('Stopped; the data is kept.');
    });

    it('deletes its data with --reset, and nothing that is not its own', async () => {
      writeFileSync(join(small.place.dataDirectory, 'note'), 'mine');
      small.program = new StackProgram('main', [...small.place.flags, '--reset', '--no-demo']);
      await small.program.untilReady();
      const { body } = await getJson(
        `${small.place.stack().fleet_url}/api/v1/gpus`,
        await tokenOf(small, 'ada@acme.example'),
      );
      expect(body).toEqual({ gpus: [] });
      expect(readFileSync(join(small.place.dataDirectory, 'note'), 'utf8')).toBe('mine');
    });
  });
}
