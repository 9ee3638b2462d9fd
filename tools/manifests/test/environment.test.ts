import { cases } from '../src/cases.ts';
import { render } from '../src/helm.ts';
import {
  type Container,
  containersOf,
  type EnvironmentVariable,
  manifestsOf,
  podOf,
} from '../src/manifest.ts';
import { examples } from './support/examples.ts';
import { hasCommand, SERVICES, type ServiceName, start, variablesOf } from './support/services.ts';

/** Read by operations alone, which do not all list it. */
const OPERATIONS = ['OWNER_DATABASE_URL', 'ADMINISTRATOR_DATABASE_URL'];

/** What the chart sets for no one, each with the reason; extraEnv can. */
const LEFT_OUT: Record<string, string> = {
  ALLOW_INSECURE_PROVIDERS: "for a developer's machine, never elsewhere",
  RATE_LIMITS: 'only a local stack goes without',
  FALCO_RULES_FILE: 'for imports, which run where their files are',
};

const known = Object.fromEntries(SERVICES.map((service) => [service, variablesOf(service)])) as Record<
  ServiceName,
  string[]
>;
const serviceOf = ({ image }: Container) => SERVICES.find((service) => image.includes(`/${service}`));
const rendered = Object.entries(cases).map(
  ([name, values]) => [name, manifestsOf(render({ values }))] as const,
);
const containers = (objects: ReturnType<typeof manifestsOf>) =>
  objects.flatMap((object) => containersOf(podOf(object) ?? { containers: [] }));
const added = ({ name }: EnvironmentVariable) => name === 'NODE_EXTRA_CA_CERTS';

it.each([...rendered, ['the examples', examples()] as const])(
  'sets only variables that the service knows, each once, each with a value: %s',
  (_name, objects) => {
    for (const container of containers(objects)) {
      const service = serviceOf(container);
      if (service === undefined) continue;
      const variables = (container.env ?? []).filter((variable) => !added(variable));
      const names = variables.map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
      expect(names.filter((name) => ![...known[service], ...OPERATIONS].includes(name))).toEqual([]);
      expect(variables.filter(({ value, valueFrom }) => !value && !valueFrom?.secretKeyRef?.name)).toEqual(
        [],
      );
    }
  },
);

it('sets every variable there is, in one case or another, but those it leaves out for a reason', () => {
  const objects = [...rendered.flatMap(([, objects]) => objects), ...examples()];
  for (const service of SERVICES) {
    const set = new Set(
      containers(objects)
        .filter((container) => serviceOf(container) === service)
        .flatMap(({ env = [] }) => env.map(({ name }) => name)),
    );
    expect(known[service].filter((name) => !set.has(name) && LEFT_OUT[name] === undefined)).toEqual([]);
  }
});

it('runs only commands that the images have', async () => {
  const commands = new Set(
    [...rendered.flatMap(([, objects]) => objects), ...examples()]
      .flatMap((object) => containers([object]))
      .flatMap((container) => {
        const [program, ...words] = container.args;
        const service = serviceOf(container);
        if (service === undefined) return [];
        // The last waits, for commands by `kubectl exec`.
        expect(['dist/src/main.js', 'dist/src/cli.js', '--eval']).toContain(program);
        const options = words.findIndex((word) => word.startsWith('-'));
        const command = options === -1 ? words : words.slice(0, options);
        return program === 'dist/src/cli.js' ? `${service} ${command.join(' ')}` : [];
      }),
  );
  expect(commands.size).toBeGreaterThan(8);
  const asked = [...commands].map(async (command) => {
    const [service, ...words] = command.split(' ');
    return [command, await hasCommand(service as ServiceName, words)] as const;
  });
  expect((await Promise.all(asked)).filter(([, has]) => !has)).toEqual([]);
  expect(await hasCommand('fleet-api', ['partitions', 'behind'])).toBe(false);
});

describe.each(['by default', 'everything'])(
  'each service starts with what the chart gives it, %s',
  (name) => {
    const objects = manifestsOf(render({ values: cases[name] ?? {} })).filter(
      ({ kind }) => kind === 'Deployment',
    );

    /** What the Secrets would hold. The database is away, which no service minds at its start. */
    const secret = (variable: string): string => {
      if (/DATABASE_URL$/.test(variable)) return 'postgres://role:password@127.0.0.1:1/observatory';
      if (variable === 'SMTP_URL') return 'smtps://site:password@127.0.0.1:1';
      return 'a-secret-of-enough-characters-for-a-secret';
    };

    it.each(SERVICES)('%s', async (service) => {
      const [container] = containers(objects).filter(
        (one) => serviceOf(one) === service && one.args[0] === 'dist/src/main.js',
      );
      // Files are in ConfigMaps, which only a cluster mounts.
      const variables = (container?.env ?? []).filter((one) => one.name !== 'XID_TABLE_FILE' && !added(one));
      const environment = variables.map(({ name, value, valueFrom }) => [
        name,
        valueFrom ? secret(name) : (value ?? ''),
      ]);
      expect(await start(service, Object.fromEntries(environment) as Record<string, string>)).toMatchObject({
        listens: true,
        refusal: '',
      });
    });
  },
);

it('would say what the chart forgets', async () => {
  const { listens, refusal } = await start('fleet-api', { LOG_LEVEL: 'info' });
  expect(listens).toBe(false);
  expect(refusal).toContain('DATABASE_URL is missing');
  expect(refusal).toContain('INTERNAL_CREDENTIAL is missing');
});
