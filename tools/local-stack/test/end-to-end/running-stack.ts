import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StackProgram } from '../support/stack-program.ts';
import type { SharedStack } from './shared-stack.ts';

export function describeRunningStack(shared: SharedStack): void {
  describe('a running stack', () => {
    it('writes stack.json, readable by its owner only', () => {
      const { portBase, dataDirectory } = shared.sandbox;
      const url = (offset: number) => `http://localhost:${portBase + offset}`;
      const database = (role: string) =>
        expect.stringMatching(
          new RegExp(`^postgres://${role}:[\\w-]{43}@127\\.0\\.0\\.1:${portBase + 5}/gpu_observatory$`),
        );
      const account = (email: string, may_sign_in: boolean) => ({
        email,
        providers: ['github', 'google'],
        may_sign_in,
      });
      expect(shared.sandbox.stack()).toEqual({
        console_url: url(0),
        fleet_url: url(1),
        account_url: url(2),
        site_url: url(3),
        identity_provider_url: url(4),
        management_urls: { fleet: url(11), account: url(12), website: url(13) },
        database_urls: {
          fleet: database('fleet_owner'),
          account: database('account_owner'),
          website: database('website_owner'),
        },
        accounts: [
          account('ada@acme.example', true),
          account('alan@acme.example', true),
          account('vera@acme.example', true),
          account('grace@globex.example', true),
          account('ivan@initech.example', false),
          account('nina@nowhere.example', false),
        ],
        pid: shared.program.pid,
      });
      for (const file of ['stack.json', 'secrets.json', 'lock', 'logs/fleet-api.log']) {
        expect([file, statSync(join(dataDirectory, file)).mode & 0o777]).toEqual([file, 0o600]);
      }
    });

    it('prints one screen with URLs and curl commands', () => {
      const { portBase } = shared.sandbox;
      for (const offset of [1, 2, 3])
        expect(shared.program.output).toContain(`http://localhost:${portBase + offset}/openapi.json`);
      expect(
        shared.program.output.match(/^ {2}curl .*npm run -s token -- --email ada@acme\.example/gm),
      ).toHaveLength(3);
      expect(shared.program.output).toContain('Safari rejects the session cookies of http://localhost');
      expect(shared.program.output.split('\n').length).toBeLessThanOrEqual(24);
    });

    it('has three ready services that serve their documents', async () => {
      const { management_urls, fleet_url, account_url, site_url } = shared.sandbox.stack();
      for (const url of Object.values(management_urls))
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
      for (const url of [fleet_url, account_url, site_url]) {
        expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
        expect((await fetch(`${url}/docs`)).status).toBe(200);
      }
    });

    it('has a website with posts', async () => {
      const response = await fetch(`${shared.sandbox.stack().site_url}/api/posts`);
      const { total } = (await response.json()) as { total: number };
      expect(total).toBeGreaterThan(0);
    });

    it('imports every simulated record', () => {
      expect(shared.program.errors).not.toContain('rejected');
      expect(readdirSync(join(shared.sandbox.dataDirectory, 'rejects'))).toEqual([]);
    });

    it('rejects a second start on the same data directory', async () => {
      const second = new StackProgram('main', [...shared.sandbox.flags]);
      expect(await second.ended).toBe(1);
      expect(second.errors).toMatch(
        new RegExp(
          `^A stack is already running on [^\\n]+: http://localhost:${shared.sandbox.portBase}, process ${shared.program.pid}\\. [^\\n]+\\n$`,
        ),
      );
    });
  });
}
