import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8');

const [, MINIMUM_NODE = ''] = /MINIMUM_NODE = '(.*)'/.exec(read('tools/bootstrap/node-runtime.mjs')) ?? [];

it('states one oldest version of Node for the services', () => {
  for (const app of ['fleet-api', 'account-service', 'website-api']) {
    const { engines } = JSON.parse(read(`apps/${app}/package.json`)) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${MINIMUM_NODE}`);
  }
  const [major, minor] = MINIMUM_NODE.split('.').map(Number);
  const [, imageMajor, imageMinor] =
    /^ARG NODE_IMAGE=node:(\d+)\.(\d+)/m.exec(read('docker/Dockerfile')) ?? [];
  expect(Number(imageMajor)).toBe(major);
  expect(Number(imageMinor)).toBeGreaterThanOrEqual(minor!);
  expect(read('.nvmrc').trim()).toBe(imageMajor);
});
