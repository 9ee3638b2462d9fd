import { getJson, tokenOf } from './requests.ts';
import type { SharedStack } from './shared-stack.ts';

export function describeTenants(shared: SharedStack): void {
  describe('tenants', () => {
    it('see only the GPUs of their customer', async () => {
      const { fleet_url } = shared.sandbox.stack();
      const [ada, grace] = [
        await tokenOf(shared, 'ada@acme.example'),
        await tokenOf(shared, 'grace@globex.example'),
      ];
      const idsOf = async (bearer: string) => {
        const { body } = await getJson(`${fleet_url}/api/v1/gpus?view=basic`, bearer);
        return (body['gpus'] as { gpu_id: string }[]).map(({ gpu_id }) => gpu_id);
      };
      const [ofAcme, ofGlobex] = [await idsOf(ada), await idsOf(grace)];
      expect(ofAcme.length + ofGlobex.length).toBe(12);
      expect(ofAcme.filter((id) => ofGlobex.includes(id))).toEqual([]);
    });

    it('see the workspaces of the tenants file with their role', async () => {
      const { account_url } = shared.sandbox.stack();
      const rolesOf = async (email: string) => {
        const { body } = await getJson(`${account_url}/api/v1/workspaces/`, await tokenOf(shared, email));
        return (body['workspaces'] as { name: string; role: string }[])
          .map(({ name, role }) => `${name}: ${role}`)
          .sort();
      };
      expect(await rolesOf('ada@acme.example')).toEqual([
        'Inference: owner',
        'Research: owner',
        'Training: owner',
      ]);
      expect(await rolesOf('alan@acme.example')).toEqual(['Research: member']);
      expect(await rolesOf('vera@acme.example')).toEqual(['Research: viewer']);
      expect(await rolesOf('grace@globex.example')).toEqual(['Rendering: owner', 'Simulation: owner']);
    });
  });
}
