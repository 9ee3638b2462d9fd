import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { RunningService } from '@gpu-observatory/service-runtime';
import type { TestDatabase } from '@gpu-observatory/embedded-database';
import { send } from '../support/http.ts';
import { createWebsiteDatabase, runtimeUrl, startWebsite } from '../support/website.ts';

let database: TestDatabase;
let website: RunningService;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  website = await startWebsite(runtimeUrl(database));
});

afterAll(async () => {
  await website.close();
  await database.drop();
});

const identity = {
  name: 'GPU Observatory',
  description:
    'GPU Observatory watches GPU fleets and the AI workloads on them while they run: security alerts from hosts, ' +
    'containers and control planes, the health of every GPU with the evidence for it, and fleet-wide metrics.',
  url: 'https://site.example',
  docs_url: 'https://docs.example',
  contact: { email: 'hello@site.example' },
  when_to_use: [
    'You want to know which GPUs of your fleet are degraded, critical or missing right now, and which reading says so.',
    'You triage security alerts on GPU hosts: container escapes, rogue eBPF programs, GPU ransomware, model poisoning, ' +
      'attacks on the control plane. Each alert comes with its timeline and the processes around it.',
    'You need counts, trends and metrics of a fleet for a report or a dashboard, without reading every alert.',
    'You write an agent, a script or a dashboard that reads what people see: JSON with fixed field names, described by OpenAPI 3.1.',
    'Look elsewhere to send telemetry, to change an alert or to control a GPU: the fleet data API only reads.',
  ],
};

describe('GET /api/site', () => {
  it.each(['/api/site', '/api/site/', '/api/site?'])('answers the identity at %s', async (path) => {
    const answer = await send(website.publicUrl, path);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual(identity);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60, stale-while-revalidate=600',
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
    });
  });

  it('answers HEAD with the same headers and no body', async () => {
    const get = await send(website.publicUrl, '/api/site');
    const head = await send(website.publicUrl, '/api/site', { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(head.bytes).toHaveLength(0);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
      expect(head.headers[name]).toBe(get.headers[name]);
    }
  });

  it.each([
    ['the tag', (tag: string) => tag, 304],
    ['the tag made weak', (tag: string) => `W/${tag}`, 304],
    ['a list that has the tag', (tag: string) => `"other", ${tag}`, 304],
    ['any', () => '*', 304],
    ['another tag', () => '"other"', 200],
  ])('given %s in If-None-Match, answers %#', async (_what, ifNoneMatch, status) => {
    const { headers } = await send(website.publicUrl, '/api/site');
    const again = await send(website.publicUrl, '/api/site', {
      headers: { 'if-none-match': ifNoneMatch(headers.etag ?? '') },
    });
    expect(again.status).toBe(status);
    expect(again.headers).toMatchObject({ etag: headers.etag, vary: 'Accept-Encoding' });
    if (status === 304) expect(again.bytes).toHaveLength(0);
  });

  it.each([
    ['Cache-Control: no-cache', { 'cache-control': 'no-cache' }],
    ['If-Modified-Since of long ago', { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
  ])('goes by If-None-Match alone, whatever %s says', async (_what, headers: Record<string, string>) => {
    const { headers: known } = await send(website.publicUrl, '/api/site', { headers });
    const again = await send(website.publicUrl, '/api/site', {
      headers: { ...headers, 'if-none-match': known.etag ?? '' },
    });
    expect(again.status).toBe(304);
    expect((await send(website.publicUrl, '/api/site', { headers })).status).toBe(200);
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('compresses with %s under a tag of its own', async (coding, decompress) => {
    const plain = await send(website.publicUrl, '/api/site');
    const headers = { 'accept-encoding': coding };
    const packed = await send(website.publicUrl, '/api/site', { headers });
    expect(packed.headers['content-encoding']).toBe(coding);
    expect(packed.headers.etag).toBe(`${plain.headers.etag?.slice(0, -1)}-${coding}"`);
    expect(decompress(packed.bytes).equals(plain.bytes)).toBe(true);
  });

  it.each([
    ['?lang=en', 'lang'],
    ['?lang=en&page=2', 'lang'],
    ['?filter[x]=1', 'filter[x]'],
    ['?constructor=1', 'constructor'],
    ['?__proto__=1', '__proto__'],
    ['?toString=1', 'toString'],
    ['?hasOwnProperty=1', 'hasOwnProperty'],
  ])('refuses the unknown parameter in %s by its name', async (query, name) => {
    const answer = await send(website.publicUrl, `/api/site${query}`);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    const problem = JSON.parse(answer.text) as { detail: string };
    expect(problem).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 });
    expect(problem.detail).toContain(`There is no parameter "${name}" here; leave it out.`);
  });

  it('may be read by browsers of any origin, without credentials', async () => {
    const answer = await send(website.publicUrl, '/api/site', {
      headers: { origin: 'https://anywhere.example' },
    });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('lets a browser of any origin ask with headers of its own', async () => {
    const preflight = await send(website.publicUrl, '/api/site', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://anywhere.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'traceparent',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': expect.stringContaining('traceparent'),
      'access-control-max-age': '600',
    });
  });
});
