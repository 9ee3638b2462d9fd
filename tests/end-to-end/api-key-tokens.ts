import { getJson, tokenOf } from './requests.ts';
import type { SharedStack } from './shared-stack.ts';
import { StackProgram } from './support/stack-program.ts';

export function describeApiKeyTokens(shared: SharedStack): void {
  describe('npm run token -- --key', () => {
    const json = (bearer: string) => ({
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
    });

    it('prints a token that fleet-api accepts and account-service rejects, unlike that of a session', async () => {
      const { account_url, fleet_url } = shared.sandbox.stack();
      const session = await tokenOf(shared, 'ada@acme.example');
      const keys = `${account_url}/api/v1/keys`;
      const { body } = await getJson(`${account_url}/api/v1/workspaces/`, session);
      const [workspace] = body['workspaces'] as { id: number }[];
      const created = await fetch(`${keys}/`, {
        method: 'POST',
        headers: json(session),
        body: JSON.stringify({ name: 'reader', workspace_id: workspace?.id }),
      });
      const { api_key: key } = (await created.json()) as { api_key: { id: number; key: string } };
      const granted = await fetch(`${keys}/${key.id}/scopes`, {
        method: 'PUT',
        headers: json(session),
        body: JSON.stringify({ scopes: ['telemetry:write', 'fleet:read'] }),
      });
      expect(granted.status).toBe(200);

      const program = new StackProgram('token', [
        ...['--key', `${key.id}:${key.key}`],
        ...['--data-directory', shared.sandbox.dataDirectory],
      ]);
      expect(await program.ended).toBe(0);
      const ofKey = program.output.trim();
      const statuses = async (bearer: string) => [
        (await getJson(`${fleet_url}/api/v1/gpus`, bearer)).status,
        (await getJson(`${account_url}/api/v1/me`, bearer)).status,
      ];
      expect(await statuses(ofKey)).toEqual([200, 401]);
      expect(await statuses(session)).toEqual([200, 200]);

      const deleted = await fetch(`${keys}/${key.id}`, { method: 'DELETE', headers: json(session) });
      expect(deleted.status).toBe(200);
      const deadline = Date.now() + 2_000;
      while ((await getJson(`${fleet_url}/api/v1/gpus`, ofKey)).status !== 401)
        expect(Date.now()).toBeLessThan(deadline);
    });
  });
}
