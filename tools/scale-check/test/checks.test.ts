import type { Deployment } from '../src/deployment.ts';
import { CheckFailure } from '../src/run-checks.ts';
import { bothReplicasRespond, rateLimitIsShared } from '../src/checks/replicas.ts';
import { readinessReportsLag } from '../src/checks/standbys.ts';

/** Fakes a deployment with scripted responses, to show that a check can fail. */
function fakeDeployment(respond: (path: string) => { status: number; servedBy: string }): Deployment {
  return {
    request: async (_service: string, path: string) => {
      const { status, servedBy } = respond(path);
      return new Response('{}', { status, headers: { 'x-served-by': servedBy, 'retry-after': '60' } });
    },
  } as unknown as Deployment;
}

it('fails when only one process of a service responds', async () => {
  const deployment = fakeDeployment(() => ({ status: 200, servedBy: 'fleet-api-1' }));
  await expect(bothReplicasRespond.run(deployment)).rejects.toThrow(
    new CheckFailure('only fleet-api-1 responded'),
  );
});

it('fails when a hostname returns an error', async () => {
  const deployment = fakeDeployment(() => ({ status: 503, servedBy: 'fleet-api-1' }));
  await expect(bothReplicasRespond.run(deployment)).rejects.toThrow(
    new CheckFailure('fleet-api returned 503'),
  );
});

it('fails when each process counts a rate limit separately', async () => {
  const requests = [0, 0];
  let turn = 0;
  const deployment = fakeDeployment(() => {
    turn = 1 - turn;
    requests[turn]! += 1;
    return { status: requests[turn]! > 60 ? 429 : 401, servedBy: `account-service-${turn}` };
  });
  await expect(rateLimitIsShared.run(deployment)).rejects.toThrow('no 429 in 65 code exchanges');
});

it('fails when readiness does not report the lag of a standby', async () => {
  const deployment = {
    standbys: [],
    replicas: [{ service: 'fleet', readiness: async () => '{"ready":true,"checks":{"database":"ok"}}' }],
    import: async () => {},
  } as unknown as Deployment;
  await expect(readinessReportsLag.run(deployment)).rejects.toThrow(CheckFailure);
});
