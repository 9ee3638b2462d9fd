import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestDatabase } from '@gpu-observatory/embedded-database';
import type { RunningService } from '@gpu-observatory/service-runtime';
import openapiTS, { astToString } from 'openapi-typescript';
import { send } from './support/http.ts';
import { richContent } from './support/rich-content.ts';
import { createWebsiteDatabase, publish, runtimeUrl, startWebsite } from './support/website.ts';

const run = promisify(execFile);
const NODE_MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

/** A program that uses the generated client. Each `@ts-expect-error` is a mistake that the types catch. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './website.ts';

const website = createClient<paths>({ baseUrl: process.argv[2] ?? '' });

const site = await website.GET('/api/site');
const list = await website.GET('/api/posts', { params: { query: { category: 'engineering', featured: true, limit: 1 } } });
const one = await website.GET('/api/posts/{slug}', { params: { path: { slug: list.data?.posts[0]?.slug ?? '' } } });
const absent = await website.GET('/api/posts/{slug}', { params: { path: { slug: 'nothing' } } });
const categories = await website.GET('/api/categories');
const tags = await website.GET('/api/tags');
const rejected = await website.POST('/api/contact', {
  body: { firstName: 'Ada', email: 'ada@example.org', message: 'A demo, please.' },
});

// @ts-expect-error Unknown path.
void (() => website.GET('/api/post'));
// @ts-expect-error Wrong parameter type.
void (() => website.GET('/api/posts', { params: { query: { limit: 'all' } } }));
// @ts-expect-error Posts in lists have no body.
void (() => list.data?.posts[0]?.body);
// @ts-expect-error Missing required fields.
void (() => website.POST('/api/contact', { body: { firstName: 'Ada' } }));

const result: { name?: string; total?: number; markdown?: string; detail?: string; counts?: number[]; status: number } = {
  status: rejected.response.status,
};
if (site.data) result.name = site.data.name;
if (list.data) result.total = list.data.total;
if (one.data) result.markdown = one.data.post.body;
if (absent.error) result.detail = absent.error.detail;
if (categories.data && tags.data) result.counts = [...categories.data.categories, ...tags.data.tags].map((term) => term.post_count);
console.log(JSON.stringify(result));
`;

let database: TestDatabase;
let website: RunningService;
let folder: string;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  await publish(database, richContent);
  website = await startWebsite(runtimeUrl(database));
  folder = await mkdtemp(join(tmpdir(), 'typed-client-'));
  await symlink(NODE_MODULES, join(folder, 'node_modules'), 'junction');
  const { text } = await send(website.publicUrl, '/openapi.json');
  await writeFile(join(folder, 'website.ts'), astToString(await openapiTS(text)));
  await writeFile(join(folder, 'program.ts'), PROGRAM);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await website.close();
  await database.drop();
});

describe('client generated from the OpenAPI document', () => {
  it('type-checks correct calls and rejects wrong ones', async () => {
    const compiler = join(NODE_MODULES, 'typescript', 'lib', 'tsc.js');
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck'];
    const args = [...options, '--allowImportingTsExtensions', '--types', 'node', 'program.ts'];
    const errors = await run(process.execPath, [compiler, ...args], { cwd: folder }).then(
      ({ stdout }) => stdout,
      (failure: { stdout: string }) => failure.stdout,
    );
    expect(errors).toBe('');
  });

  it('works against the running service', async () => {
    const { stdout } = await run(process.execPath, [join(folder, 'program.ts'), website.publicUrl]);
    expect(JSON.parse(stdout)).toEqual({
      name: 'GPU Observatory',
      total: 1,
      markdown: expect.stringContaining('The last XID is a *gauge*'),
      detail: 'No published post has this slug. GET /api/posts lists the published posts.',
      counts: [2, 1, 1, 1, 2],
      status: 401,
    });
  });
});
