import { cases } from './support/cases.ts';
import { render } from '../src/helm.ts';
import {
  type Container,
  containersOf,
  type EnvironmentVariable,
  manifestsOf,
  podOf,
} from './support/manifest.ts';
import { optionsOfCommand, SERVICES, type ServiceName, start, variablesOf } from './support/services.ts';

/** Variables of the operations commands, which `config` does not list for all of them. */
const OPERATIONS_VARIABLES = ['OWNER_DATABASE_URL', 'ADMINISTRATOR_DATABASE_URL'];

/** Part of another variable. */
const REFERENCED = 'ADMINISTRATOR_URL';

/** Variables that the chart never sets, each with the reason. Users can set them with extraEnv. */
const OMITTED: Record<string, string> = {
  ALLOW_INSECURE_PROVIDERS: "only for a developer's machine",
  RATE_LIMITS: 'only a local stack turns them off',
  AUDITOR_DATABASE_URL: 'for commands of an auditor, who runs them outside of the chart',
  FALCO_RULES_FILE: 'for imports, which run outside of the chart',
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
const isAdded = ({ name }: EnvironmentVariable) => name === 'NODE_EXTRA_CA_CERTS';

it.each(rendered)('sets only variables of the service, each once and with a value: %s', (_name, objects) => {
  for (const container of containers(objects)) {
    const service = serviceOf(container);
    if (service === undefined) continue;
    const variables = (container.env ?? []).filter((variable) => !isAdded(variable));
    const names = variables.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(
      names.filter((name) => ![...known[service], ...OPERATIONS_VARIABLES, REFERENCED].includes(name)),
    ).toEqual([]);
    expect(variables.filter(({ value, valueFrom }) => !value && !valueFrom?.secretKeyRef?.name)).toEqual([]);
  }
});

it('sets every variable in at least one case, except those it omits for a reason', () => {
  const objects = rendered.flatMap(([, objects]) => objects);
  for (const service of SERVICES) {
    const set = new Set(
      containers(objects)
        .filter((container) => serviceOf(container) === service)
        .flatMap(({ env = [] }) => env.map(({ name }) => name)),
    );
    expect(known[service].filter((name) => !set.has(name) && OMITTED[name] === undefined)).toEqual([]);
  }
});

it('runs only commands that exist in the images', () => {
  const commands = new Set(
    rendered
      .flatMap(([, objects]) => objects)
      .flatMap((object) => containers([object]))
      .flatMap((container) => {
        const [program, ...args] = container.args;
        const service = serviceOf(container);
        if (service === undefined) return [];
        // `--eval` keeps a pod running for `kubectl exec`.
        expect(['dist/src/main.js', 'dist/src/cli.js', '--eval']).toContain(program);
        const options = args.findIndex((argument) => argument.startsWith('-'));
        const command = options === -1 ? args : args.slice(0, options);
        return program === 'dist/src/cli.js' ? `${service} ${command.join(' ')}` : [];
      }),
  );
  expect(commands.size).toBeGreaterThan(8);
  const exists = (command: string) => {
    const [service, ...args] = command.split(' ');
    return optionsOfCommand(service as ServiceName, args) !== undefined;
  };
  expect([...commands].filter((command) => !exists(command))).toEqual([]);
  expect(exists('fleet-api partitions behind')).toBe(false);
});

/** The default values leave variables out that all values together set. */
const STARTED = process.env['NIGHTLY_SEED'] ? ['by default', 'everything'] : ['everything'];

describe.each(STARTED)('each service starts with the environment of the chart, %s', (name) => {
  const objects = manifestsOf(render({ values: cases[name] ?? {} })).filter(
    ({ kind }) => kind === 'Deployment',
  );

  /** Values of the Secrets. No database listens there; services start without one. */
  const secret = (variable: string): string => {
    if (/DATABASE_URL$/.test(variable)) return 'postgres://role:password@127.0.0.1:1/observatory';
    if (variable === 'SMTP_URL') return 'smtps://site:password@127.0.0.1:1';
    return 'a-secret-of-enough-characters-for-a-secret';
  };

  it.each(SERVICES)('%s', async (service) => {
    const [container] = containers(objects).filter(
      (candidate) => serviceOf(candidate) === service && candidate.args[0] === 'dist/src/main.js',
    );
    // Only a cluster mounts ConfigMaps.
    const variables = (container?.env ?? []).filter(
      (variable) => variable.name !== 'XID_TABLE_FILE' && !isAdded(variable),
    );
    const environment = variables.map(({ name, value, valueFrom }) => [
      name,
      valueFrom ? secret(name) : (value ?? ''),
    ]);
    expect(await start(service, Object.fromEntries(environment) as Record<string, string>)).toMatchObject({
      listens: true,
      errors: '',
    });
  });
});
