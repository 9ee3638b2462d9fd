import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
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

    it('has three ready services that serve their documents and posts', async () => {
      const { management_urls, fleet_url, account_url, site_url } = shared.sandbox.stack();
      for (const url of Object.values(management_urls))
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
      for (const url of [fleet_url, account_url, site_url]) {
        expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
        expect((await fetch(`${url}/docs`)).status).toBe(200);
      }
      const posts = (await (await fetch(`${site_url}/api/posts`)).json()) as { total: number };
      expect(posts.total).toBeGreaterThan(0);
    });

    it('imports every simulated record', () => {
      expect(shared.program.errors).not.toContain('rejected');
      expect(readdirSync(join(shared.sandbox.dataDirectory, 'rejects'))).toEqual([]);
    });
  });
}
