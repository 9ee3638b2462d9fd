import type { Deployment } from '../src/deployment.ts';
import { bothReplicasRespond } from '../src/checks/replicas.ts';

/** Fakes a deployment with scripted responses, to show that a check can fail. */
function fakeDeployment(respond: (path: string) => { status: number; servedBy: string }): Deployment {
  return {
    request: async (_service: string, path: string) => {
      const { status, servedBy } = respond(path);
      return new Response('{}', { status, headers: { 'x-served-by': servedBy } });
    },
  } as unknown as Deployment;
}

it('fails when only one process of a service responds', async () => {
  const deployment = fakeDeployment(() => ({ status: 200, servedBy: 'fleet-api-1' }));
  await expect(bothReplicasRespond.run(deployment)).rejects.toThrow('only fleet-api-1 responded');
});

it('fails when a hostname returns an error', async () => {
  const deployment = fakeDeployment(() => ({ status: 503, servedBy: 'fleet-api-1' }));
  await expect(bothReplicasRespond.run(deployment)).rejects.toThrow('fleet-api returned 503');
});
