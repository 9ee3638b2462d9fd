import { Breach, type CheckContext } from '../src/checks/check.ts';
import { bothAnswer, limitsAreShared } from '../src/checks/replicas.ts';
import { saysHowFarItLags } from '../src/checks/standbys.ts';

/** A deployment that answers as it is told: whether a check bites cannot be seen on one that is well. */
function deploymentThat(answers: (path: string) => { status: number; servedBy: string }): CheckContext {
  const edge = {
    request: async (_service: string, path: string) => {
      const { status, servedBy } = answers(path);
      return new Response('{}', { status, headers: { 'x-served-by': servedBy, 'retry-after': '60' } });
    },
  };
  return { edge } as unknown as CheckContext;
}

it('sees a service that one process alone answers for', async () => {
  const deployment = deploymentThat(() => ({ status: 200, servedBy: 'fleet-api-1' }));
  await expect(bothAnswer.run(deployment)).rejects.toThrow(new Breach('only fleet-api-1 answered'));
});

it('sees a hostname that answers badly', async () => {
  const deployment = deploymentThat(() => ({ status: 503, servedBy: 'fleet-api-1' }));
  await expect(bothAnswer.run(deployment)).rejects.toThrow(new Breach('fleet-api answered 503'));
});

it('sees a limit that each process counts for itself', async () => {
  const asked = [0, 0];
  let turn = 0;
  const deployment = deploymentThat(() => {
    turn = 1 - turn;
    asked[turn]! += 1;
    return { status: asked[turn]! > 60 ? 429 : 401, servedBy: `account-service-${turn}` };
  });
  await expect(limitsAreShared.run(deployment)).rejects.toThrow('no 429 in 65 code exchanges');
});

it('sees a standby that says nothing of its lag', async () => {
  const deployment = {
    standbys: [],
    replicas: [
      { service: 'fleet-api', readiness: async () => ({ ready: true, checks: { database: 'ok' } }) },
    ],
    operate: async () => '',
  } as unknown as CheckContext;
  await expect(saysHowFarItLags.run(deployment)).rejects.toThrow(Breach);
});
