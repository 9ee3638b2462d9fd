import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadCompose, readVariables } from '../support/compose.ts';
import { root } from '../../src/root.ts';
import { type ComposeProcesses, runCompose } from '../support/compose-processes.ts';

/** The documented steps of a trial, without Docker. */
const variables = readVariables(
  execFileSync('sh', [join(root, 'docker/create-env.sh')], { encoding: 'utf8' }),
);
let trial: ComposeProcesses;

beforeAll(async () => {
  const project = loadCompose(['compose.yaml', 'compose.trial.yaml'], variables);
  trial = await runCompose(project, variables['POSTGRES_PASSWORD']!);
}, 300_000);
afterAll(() => trial?.stop());

const page = (url: string) => fetch(trial.url(url), { headers: { accept: 'text/html' } });

it('serves the console and the site, which links to the console', async () => {
  expect((await page('http://localhost:3000/')).status).toBe(200);
  expect(await (await page('http://localhost:3000/config.json')).json()).toEqual({
    fleet_url: trial.url('http://localhost:3001'),
    account_url: trial.url('http://localhost:3002'),
    site_url: trial.url('http://localhost:3003'),
  });
  expect(await (await page('http://localhost:3003/')).text()).toContain(trial.url('http://localhost:3000'));
});

it('signs the administrator in with the password of docker/.env, who sees the data of the demo', async () => {
  const origin = trial.url('http://localhost:3000');
  const account = trial.url('http://localhost:3002/api/v1/auth');
  const post = (path: string, body: object) =>
    fetch(`${account}${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const signIn = await post('/password', {
    email: 'ada@trial.example',
    password: variables['ADMINISTRATOR_PASSWORD'],
    frontend_url: origin,
  });
  expect(signIn.status).toBe(200);
  const { code } = (await signIn.json()) as { code: string };
  const token = await post('/token', { code, redirect_uri: origin });
  expect(token.status).toBe(200);
  const { access_token: accessToken } = (await token.json()) as { access_token: string };

  const gpusOf = async () => {
    const response = await fetch(trial.url('http://localhost:3001/api/v1/gpus?page_size=100'), {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    return ((await response.json()) as { gpus?: object[] }).gpus ?? [];
  };
  const deadline = Date.now() + 120_000;
  while ((await gpusOf()).length < 64 && Date.now() < deadline) await sleep(500);
  expect(await gpusOf()).toHaveLength(64);
}, 180_000);
