import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { operationsOf, root } from '@gpu-observatory/local-stack';
import { tokenOf } from './requests.ts';
import type { SharedStack } from './shared-stack.ts';

/** Tests the website with the real account service, which verifies the API keys. */
export function describeContact(shared: SharedStack): void {
  describe('a contact request with an API key', () => {
    it('is accepted after an operator grants the scope, and rejected after the key is rotated', async () => {
      const { account_url, site_url, database_urls } = shared.sandbox.stack();
      const bearer = await tokenOf(shared, 'ada@acme.example');
      const keys = `${account_url}/api/v1/keys`;
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
      const created = await fetch(keys, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: 'writes to us', workspace_id: 1 }),
      });
      const { id, key } = ((await created.json()) as { api_key: { id: number; key: string } }).api_key;
      const write = async (apiKey: string) => {
        const response = await fetch(`${site_url}/api/contact`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
          body: JSON.stringify({ firstName: 'Ada', email: 'ada@acme.example', message: 'A demo, please.' }),
        });
        return { status: response.status, body: (await response.json()) as Record<string, unknown> };
      };

      expect(await write(key)).toMatchObject({
        status: 403,
        body: { detail: 'The API key lacks the scope contact:write.' },
      });
      await promisify(execFile)(
        process.execPath,
        [operationsOf('account'), 'keys', 'grant', String(id), 'contact:write'],
        { cwd: root, env: { OWNER_DATABASE_URL: database_urls.account } },
      );
      expect(await write(key)).toEqual({
        status: 202,
        body: { message: expect.any(String), id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      });

      const rotated = await fetch(`${keys}/${id}/rotate`, { method: 'POST', headers, body: '{}' });
      expect(rotated.ok).toBe(true);
      expect((await write(key)).status).toBe(401);
    });
  });
}
