import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { HOOKS } from '../src/generated-files.ts';
import { helm, render } from '../src/helm.ts';
import { build } from './support/kustomize.ts';
import { type Manifest, manifestsOf, podOf } from './support/manifest.ts';
import { run } from '../src/program.ts';
import { root } from '../src/root.ts';
import { scriptsOf } from '../src/scripts-of.ts';
import { documentedCommands, isVerified, operatorPages, wordsOf } from './support/documented-commands.ts';
import { exampleValues, examples } from './support/examples.ts';
import { optionsOfCommand, type ServiceName } from './support/services.ts';

const commands = documentedCommands().map(({ command }) => command);
/** @throws {Error} when no page has such a command, because its test would then check nothing */
function starting(pattern: RegExp): string[] {
  const found = [...new Set(commands.filter((command) => pattern.test(command)))];
  if (found.length === 0) throw new Error(`no page has a command that matches ${pattern}`);
  return found;
}
const optionsOf = (words: string[]) =>
  words.filter((word) => /^--?[a-z]/i.test(word)).map((word) => word.replace(/=.*/, ''));

const production = parse(exampleValues().get('values-production.yaml') ?? '') as object;
const objects = [
  ...manifestsOf(render({ values: production })),
  ...['.', ...Object.keys(HOOKS)].flatMap((folder) => manifestsOf(build(`kustomize/production/${folder}`))),
  ...examples(),
];

it('verifies every command of every page with shell blocks', () => {
  expect(commands.length).toBeGreaterThan(90);
  expect(operatorPages().filter((page) => page.endsWith('.md')).length).toBeGreaterThanOrEqual(5);
  expect(commands.filter((command) => !isVerified(command))).toEqual([]);
  expect(isVerified('terraform apply')).toBe(false);
});

it('has only valid shell scripts in pages', () => {
  for (const script of operatorPages()
    .filter((page) => page.endsWith('.md'))
    .flatMap(scriptsOf)) {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
    expect([script, status, stderr]).toEqual([script, 0, '']);
  }
});

it('refers only to files that exist', () => {
  const paths = commands.flatMap((command) => command.match(/(?<![\w/])(?:k8s|docker)\/[\w./-]+/g) ?? []);
  expect(paths.length).toBeGreaterThan(15);
  // The reader creates docker/.env with the command before.
  expect(paths.filter((path) => !existsSync(join(root, path)) && path !== 'docker/.env')).toEqual([]);
});

it.each(starting(/^node /))('runs: %s', (command) => {
  const [, script = '', ...args] = wordsOf(command);
  const { stderr } = spawnSync(process.execPath, [join(root, script), ...args], { encoding: 'utf8' });
  // The example's version is not ours.
  expect(stderr).toContain('the versions differ from the tag v1.2.3');
});

describe('helm', () => {
  it.each(starting(/^helm (template|show) /))('runs: %s', (command) => {
    const [, ...args] = wordsOf(command);
    const output = run(
      helm,
      args.map((word) => word.replace(/^k8s\//, `${root}/k8s/`)),
    );
    expect(output.length).toBeGreaterThan(1000);
  });

  it('has the documented subcommands and options', () => {
    for (const command of starting(/^helm /)) {
      const [, subcommand = '', ...words] = wordsOf(command);
      const help = run(helm, [subcommand, '--help']);
      for (const option of optionsOf(words)) expect(help).toMatch(new RegExp(`(^|\\s)${option}[\\s,]`));
    }
  });
});

/** Options of the kubectl commands that pages use: https://kubernetes.io/docs/reference/kubectl/generated/ */
const KUBECTL: Record<string, string[]> = {
  apply: ['-f', '-k'],
  cnpg: [],
  config: ['--current', '--namespace'],
  create: ['--from-literal', '--from'],
  delete: ['-f', '-k', '-l', '--ignore-not-found'],
  describe: [],
  exec: ['-it'],
  get: ['-l', '-o'],
  logs: ['-l', '--prefix', '--previous', '--since', '--tail'],
  // No -l: `kubectl patch` accepts no selector.
  patch: ['--patch-file', '--type', '-p'],
  'port-forward': [],
  rollout: ['-l', '--timeout'],
  scale: ['-l', '--replicas'],
  wait: ['-l', '--for', '--timeout'],
};

describe.each(starting(/^kubectl /))('%s', (command) => {
  const words = wordsOf(command.replaceAll(/\$\{?(RELEASE|NAMESPACE)\}?/g, 'gpu-observatory'));
  const end = words.indexOf('--');
  const [, verb = '', ...rest] = end === -1 ? words : words.slice(0, end);

  it('uses options that exist', () => {
    expect(Object.keys(KUBECTL)).toContain(verb);
    expect(optionsOf(rest).filter((option) => !KUBECTL[verb]?.includes(option))).toEqual([]);
  });

  it('selects objects that exist', () => {
    const selectors = rest.flatMap((word, index) => (rest[index - 1] === '-l' ? [word] : []));
    for (const selector of selectors.filter((text) => !/job-name=|=collector-NAME/.test(text)))
      expect(objects.some((object) => selects(selector, object))).toBe(true);
    expect(missingObjects(words)).toEqual([]);
  });
});

it('reports an object, a selector and an option that do not exist', () => {
  expect(missingObjects(['kubectl', 'scale', 'deployment/gpu-observatory-fleet'])).toEqual([
    'deployment/gpu-observatory-fleet',
  ]);
  expect(objects.some((object) => selects('app.kubernetes.io/instance=other', object))).toBe(false);
  expect(optionsOf(['--all', '--since=15m', 'x'])).toEqual(['--all', '--since']);
});

/** Lists references such as `deployment/NAME` and `cronjob NAME` to an object that nothing creates. */
function missingObjects(words: string[]): string[] {
  const kinds = 'deployment|cronjob|job|cluster|secret|configmap';
  const references = words.flatMap((word, index) => {
    const pair = new RegExp(`^(?:--from=)?(${kinds})s?/(.+)$`).exec(word);
    if (pair) return [`${pair[1]}/${pair[2]}`];
    const isName = new RegExp(`^(${kinds})$`).test(words[index - 1] ?? '') && !word.startsWith('-');
    return isName && words[1] !== 'create' ? [`${words[index - 1]}/${word}`] : [];
  });
  const titles = new Set(objects.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`));
  // Names in capitals, such as POD, are placeholders, $name a loop variable, and account-operations is created before.
  // create-secrets.sh creates the Secrets.
  const isGiven = (reference: string) => /\/[A-Z]+$|\$name|\/account-operations$|^secret\//.test(reference);
  return references.filter((reference) => !titles.has(reference) && !isGiven(reference));
}

function selects(selector: string, object: Manifest): boolean {
  const { template } = (object.spec ?? {}) as { template?: { metadata?: Manifest['metadata'] } };
  return [object.metadata.labels, podOf(object) && template?.metadata?.labels].some((labels) =>
    selector.split(',').every((pair) => labels?.[pair.split('=')[0] ?? ''] === pair.split('=')[1]),
  );
}

it('has the operations commands and options of the pages', () => {
  const services: Record<string, ServiceName> = { account: 'account-service', fleet: 'fleet-api' };
  const operations = [
    ...starting(/^(operations )?(account|fleet) [a-z]/).map((command) => command.replace(/^operations /, '')),
  ];
  expect(operations.length).toBeGreaterThan(20);
  const unknown = operations.filter((command) => {
    const [program = '', ...args] = wordsOf(command);
    const options = optionsOfCommand(services[program] as ServiceName, args);
    return !options || optionsOf(args).some((option) => !options.includes(option));
  });
  expect(unknown).toEqual([]);
});

it('builds targets of the Dockerfile and runs services of the Compose file', () => {
  const dockerfile = readFileSync(join(root, 'docker/Dockerfile'), 'utf8');
  for (const command of starting(/^(docker build|buildah) /)) {
    const target = / --target (\S+)/.exec(command)?.[1] ?? '';
    expect(target === '$image' || dockerfile.includes(` AS ${target}\n`)).toBe(true);
  }
  const { services } = parse(readFileSync(join(root, 'docker/compose.yaml'), 'utf8'), { merge: true }) as {
    services: Record<string, unknown>;
  };
  for (const command of starting(/^operations /))
    expect(Object.keys(services)).toContain(`${wordsOf(command)[1]}-operations`);
});

it('runs npm scripts that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  for (const command of starting(/^npm (run (?!accept)|test)/))
    expect(Object.keys(scripts)).toContain(wordsOf(command.replace('npm run', 'npm'))[1]);
});
