import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileFile } from '../src/dev/compile.ts';
import { NODE_ARGUMENTS } from '../src/processes/child-program.ts';
import { root } from '../src/root.ts';

/** Evaluates code in a child process with the options of the services, and returns its standard error. */
const errorsOf = (code: string) =>
  spawnSync(process.execPath, [...NODE_ARGUMENTS, '--input-type=module', '--eval', code], {
    encoding: 'utf8',
  }).stderr;

/** Returns the line number of the first line with this text. */
const lineOf = (source: string, text: string) =>
  source.split('\n').findIndex((line) => line.includes(text)) + 1;

it('a stack trace of a built service names the line of the source', () => {
  const file = join(root, 'apps/fleet-api/src/importer/command-options.ts');
  const built = pathToFileURL(join(root, 'apps/fleet-api/dist/src/importer/command-options.js')).href;
  const source = readFileSync(file, 'utf8');
  const start = source.indexOf('export function positiveId');
  const line =
    source.slice(0, start).split('\n').length -
    1 +
    lineOf(source.slice(start), 'throw new InvalidArgumentError');
  expect(errorsOf(`(await import('${built}')).positiveId('x')`)).toContain(`${file}:${line}:`);
});

describe('a file that npm run dev compiles', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'compile-')));
  const folders = { source: join(folder, 'src'), compiled: join(folder, 'dist') };
  const file = join(folders.source, 'a', 'fails.ts');
  const target = join(folders.compiled, 'a', 'fails.js');
  beforeAll(() => mkdirSync(join(folders.source, 'a'), { recursive: true }));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('has stack traces with the line of the source', async () => {
    const source = `interface Unused {\n  a: string;\n}\nexport const fail = (reason: Unused) => {\n  throw new Error(reason.a);\n};\n`;
    writeFileSync(file, source);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    await compileFile(folders, file);
    expect(errorsOf(`(await import('${pathToFileURL(target).href}')).fail({ a: 'why' })`)).toContain(
      `${file}:5:`,
    );
  });

  it('is deleted with its source, and other files are copied', async () => {
    const style = join(folders.source, 'a', 'style.css');
    writeFileSync(style, 'body {}');
    await compileFile(folders, style);
    expect(readFileSync(join(folders.compiled, 'a', 'style.css'), 'utf8')).toBe('body {}');
    rmSync(file);
    await compileFile(folders, file);
    expect(() => readFileSync(target)).toThrow('ENOENT');
  });
});
