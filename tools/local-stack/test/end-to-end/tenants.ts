import { getJson, tokenOf } from './requests.ts';
import type { SmallStack } from './small-stack.ts';

export function describeTenants(small: SmallStack): void {
  describe('who sees what', () => {
    it('gives every customer its own fleet', async () => {
      const { fleet_url } = small.place.stack();
      const [ada, grace] = [
        await tokenOf(small, 'ada@acme.example'),
        await tokenOf(small, 'grace@globex.example'),
      ];
      const idsOf = async (bearer: string) => {
        const { body } = await getJson(`${fleet_url}/api/v1/gpus?view=basic`, bearer);
        return (body['gpus'] as { gpu_id: string }[]).map(({ gpu_id }) => gpu_id);
      };
      const [ofAcme, ofGlobex] = [await idsOf(ada), await idsOf(grace)];
      expect(ofAcme.length + ofGlobex.length).toBe(12);
      expect(ofAcme.filter((id) => ofGlobex.includes(id))).toEqual([]);
    });

    it('lets the roles of the tenants file see the workspaces that it gives them', async () => {
      const { account_url } = small.place.stack();
      const rolesOf = async (email: string) => {
        const { body } = await getJson(`${account_url}/api/v1/workspaces/`, await tokenOf(small, email));
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
