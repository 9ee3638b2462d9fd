import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startEmbeddedDatabase, withClient } from '@gpu-observatory/embedded-database';
import { DATABASE, checkPortsAreFree, portsFrom, readSecrets } from '@gpu-observatory/local-stack';
import { childrenOf, commandOf, isRunning, StackProgram, until } from './support/stack-program.ts';
import { getJson, tokenOf } from './requests.ts';
import type { SharedStack } from './shared-stack.ts';

/** A restart takes less than 15 s on two idle cores. Other tests run at the same time. */
const RESTART_TIMEOUT_MS = 30_000;

export function describeStopping(shared: SharedStack): void {
  describe('stopping and restarting', () => {
    it('leaves no process when it is killed, and restarts quickly with its data and sessions', async () => {
      const session = await tokenOf(shared, 'ada@acme.example');
      const hostnames = async () => {
        const url = `${shared.sandbox.stack().fleet_url}/api/v1/gpus?view=basic`;
        const { status, body } = await getJson(url, session);
        expect(status).toBe(200);
        return (body as { gpus: { hostname: string }[] }).gpus.map(({ hostname }) => hostname).sort();
      };
      const before = await hostnames();
      expect(before).not.toEqual([]);
      const parts = childrenOf(shared.program.pid);
      if (process.platform === 'linux') expect(parts.length).toBeGreaterThanOrEqual(6);
      shared.program.kill('SIGKILL');
      expect(await shared.program.ended).toBe('SIGKILL');
      const startedAt = Date.now();
      shared.program = new StackProgram('main', shared.sandbox.flags);
      await shared.program.waitUntilReady();
      expect(Date.now() - startedAt).toBeLessThan(Math.max(RESTART_TIMEOUT_MS, shared.firstStartMs));
      expect(parts.filter(isRunning)).toEqual([]);
      expect(shared.sandbox.stack().pid).toBe(shared.program.pid);
      expect(shared.program.errors).not.toContain('history');
      expect(await hostnames()).toEqual(before);
    });

    it('restarts the live feed when it fails', async () => {
      const importer = () =>
        childrenOf(shared.program.pid).find((pid) => commandOf(pid).includes('import ndjson'));
      await until(() => importer() !== undefined);
      const first = importer()!;
      process.kill(first, 'SIGKILL');
      await until(() =>
        shared.program.errors.includes('The live feed stopped (live-import exited with SIGKILL'),
      );
      await until(() => importer() !== undefined && importer() !== first);
    });

    it('leaves no process on SIGTERM and exits with 0', async () => {
      const parts = childrenOf(shared.program.pid);
      shared.program.kill('SIGTERM');
      expect(await shared.program.ended).toBe(0);
      expect(parts.filter(isRunning)).toEqual([]);
      await checkPortsAreFree(portsFrom(shared.sandbox.portBase));
      expect(readdirSync(shared.sandbox.dataDirectory).sort()).toEqual([
        'database',
        'logs',
        'rejects',
        'secrets.json',
      ]);
    });

    it('rejects a start while one of its ports is in use', async () => {
      const port = shared.sandbox.portBase + 2;
      const other = createServer().listen(port, '127.0.0.1');
      await once(other, 'listening');
      const program = new StackProgram('main', [...shared.sandbox.flags]);
      expect(await program.ended).toBe(1);
      other.close();
      expect(program.errors).toBe(
        `Port ${port} (account-service) is in use: stop the other program, or choose another --port-base, such as ${shared.sandbox.portBase + 1_000}.\n`,
      );
    });

    it('stops an interrupted start', async () => {
      shared.program = new StackProgram('main', shared.sandbox.flags);
      await until(() => shared.program.errors.includes('Database schema: fleet-api'));
      const parts = childrenOf(shared.program.pid);
      shared.program.kill('SIGINT');
      shared.program.kill('SIGTERM'); // Within the deduplication time: not a second request.
      expect(await shared.program.ended).toBe(0);
      expect(parts.filter(isRunning)).toEqual([]);
      expect(shared.program.errors).toContain('Stopped. The data is kept.');
    });

    it('rejects a data directory with an incompatible database schema and deletes nothing', async () => {
      const { dataDirectory, portBase, flags } = shared.sandbox;
      const { superuser_password } = readSecrets(join(dataDirectory, 'secrets.json'));
      /** Runs a statement while the stack is stopped. */
      const query = async (sql: string) => {
        const server = await startEmbeddedDatabase({
          dataDirectory: join(dataDirectory, 'database'),
          port: portBase + 5,
          superuserPassword: superuser_password!,
        });
        const url = Object.assign(new URL(server.adminUrl), { pathname: `/${DATABASE}` }).href;
        try {
          return await withClient(url, async (client) => (await client.query(sql)).rows as unknown[]);
        } finally {
          await server.stop();
        }
      };
      await query("UPDATE fleet.migrations SET name = 'Renamed' || name");
      const alerts = await query('SELECT count(*) FROM fleet.alerts');

      const program = new StackProgram('main', flags);
      expect(await program.ended).toBe(1);
      expect(program.output).toBe('');
      expect(program.errors).toContain(
        `The data directory ${dataDirectory} was created by an incompatible version: fleet-api cannot migrate its database.\n`,
      );
      expect(program.errors).toContain(`\n  npm start -- --reset --data-directory '${dataDirectory}'\n`);
      await checkPortsAreFree(portsFrom(portBase));
      expect(await query('SELECT count(*) FROM fleet.alerts')).toEqual(alerts);
    });

    it('deletes its data with --reset, but no other files', async () => {
      writeFileSync(join(shared.sandbox.dataDirectory, 'note'), 'mine');
      shared.program = new StackProgram('main', [...shared.sandbox.flags, '--reset', '--no-demo']);
      await shared.program.waitUntilReady();
      const { body } = await getJson(
        `${shared.sandbox.stack().fleet_url}/api/v1/gpus`,
        await tokenOf(shared, 'ada@acme.example'),
      );
      expect(body).toEqual({ gpus: [] });
      expect(readFileSync(join(shared.sandbox.dataDirectory, 'note'), 'utf8')).toBe('mine');
    });

    it('stops when a service exits, and prints the end of its log', async () => {
      const parts = childrenOf(shared.program.pid);
      const { management_urls } = shared.sandbox.stack();
      const service = parts.find((pid) => commandOf(pid).includes('website-api'));
      process.kill(service!, 'SIGKILL');
      expect(await shared.program.ended).toBe(1);
      expect(shared.program.errors).toMatch(
        /website-api exited with SIGKILL\. End of .*website-api\.log:\n.*listening/s,
      );
      expect(parts.filter(isRunning)).toEqual([]);
      await expect(fetch(`${management_urls.fleet}/livez`)).rejects.toThrow();
    });
  });
}
