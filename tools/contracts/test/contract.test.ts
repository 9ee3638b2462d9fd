import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contract } from '../src/contract.ts';
import { type ScriptedResponse, startScriptedServer } from './support/scripted-server.ts';

let folder: string;
let server: Awaited<ReturnType<typeof startScriptedServer>>;
let respond: (path: string) => ScriptedResponse;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'contract-'));
  server = await startScriptedServer(({ url }) => respond(url ?? '/'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  respond = () => ({ status: 200, body: { hello: 'world' } });
});

/** Runs the command without a process. */
async function runContract(...args: string[]) {
  const output: string[] = [];
  const errors: string[] = [];
  const code = await contract(args, {
    log: (line: string) => void output.push(line),
    error: (line: string) => void errors.push(line),
  });
  return { code, output: output.join('\n'), errors: errors.join('\n') };
}

describe('a run that checks nothing exits with 2 and one line', () => {
  it('nothing listens (started with plain Node, as the image and CI do)', () => {
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    const args = [main, 'fleet', '--base-url', 'http://127.0.0.1:9'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} });
    expect(stderr).toMatch(
      /^http:\/\/127\.0\.0\.1:9 did not respond to GET \/openapi\.json \(ECONNREFUSED\)\. Check --base-url.*\n$/,
    );
    expect([status, stdout]).toEqual([2, '']);
  });

  it('a JUnit file that cannot be written', async () => {
    const file = join(folder, 'none', 'contract.xml');
    const { code, errors } = await runContract('website', '--base-url', server.url, '--junit', file);
    expect(errors).toMatch(/^Cannot write --junit .*contract\.xml: ENOENT/);
    expect(code).toBe(2);
  });
});

describe('a server that is not one of our services', () => {
  it.each(['fleet', 'account', 'website'])(
    'fails rules of %s, in the table and in JUnit XML',
    async (service) => {
      respond = () => ({ status: 200, body: { total_size: 5 } });
      // Longer than the part of a path that a report shows.
      const token = `${'a'.repeat(200)}.b.c`;
      const file = join(folder, `${service}.xml`);
      const { code, output, errors } = await runContract(
        ...[
          service,
          '--base-url',
          server.url,
          '--token-command',
          `echo ${token}`,
          '--junit',
          file,
          '--write',
        ],
        ...['--origin', 'https://app.example', '--frontend-url', 'https://app.example'],
      );
      expect([code, errors]).toEqual([1, '']);
      expect(output).not.toContain(token.slice(0, 50));
      const failed = output.split('\n').filter((line) => line.startsWith('✖'));
      expect(failed).toContainEqual(
        expect.stringMatching(/^✖ document-is-served +docs\/services\.md#openapi +served paths: expected /),
      );
      const xml = readFileSync(file, 'utf8');
      expect(xml).toContain(`<testsuite name="contract of ${service}"`);
      expect(xml.match(/<failure message="/g)).toHaveLength(failed.length);
      expect(xml).not.toMatch(/message="[^"]*[<>]/);
    },
  );

  it.each<[string, ScriptedResponse]>([
    ['status 418 is not documented', { status: 418 }],
    ['content type is "text/html"', { status: 200, headers: { 'content-type': 'text/html' } }],
    ['the body is not JSON', { status: 200, body: '{' }],
    ["the body at / must have required property '", { status: 200, body: { other: 1 } }],
    ['the body at / must NOT have unevaluated properties', { status: 200, body: { tags: [], other: 1 } }],
  ])('validates each response against the document: %s', async (detail, response) => {
    respond = () => response;
    const { output } = await runContract('website', '--base-url', server.url);
    const lines = output.split('\n').filter((line) => line.startsWith('✖ as-documented: '));
    expect(lines).toContainEqual(expect.stringContaining(detail));
  });

  it('fails a rule whose request gets no response', async () => {
    respond = (path) => ({ status: path === '/openapi.json' ? 200 : 0, body: {} });
    const { code, output } = await runContract('website', '--base-url', server.url);
    expect(output).toMatch(/^✖ document-page-is-served .* did not respond to GET \/docs/m);
    expect(code).toBe(1);
  });
});

it('skips a rule that hits a rate limit, provided that the response has Retry-After', async () => {
  const limited = { title: 'Too Many Requests', detail: 'Wait.' };
  respond = () => ({ status: 429, headers: { 'retry-after': '30' }, body: limited });
  const { output } = await runContract('account', '--base-url', server.url);
  expect(output).toMatch(
    /^– unknown-code-rejected .* rate limited: POST \/api\/v1\/auth\/token -> 429, retry after 30 s$/m,
  );
  respond = () => ({ status: 429, body: limited });
  const { output: withoutRetryAfter } = await runContract('account', '--base-url', server.url);
  expect(withoutRetryAfter).toMatch(/^✖ unknown-code-rejected .* has Retry-After undefined$/m);
});

describe('bad input', () => {
  const run = (...more: string[]) =>
    runContract('website', '--base-url', server.url, '--bad-input', '200', '--seed', '7', ...more);

  it('finds a 5xx and shrinks the request to the smallest one that reproduces it', async () => {
    respond = (path) => (path.includes('%25') ? { status: 500, body: { title: 'oops' } } : rejected);
    const { code, output } = await run();
    const line = output.split('\n').find((candidate) => candidate.includes('bad-input: listBlogPosts'))!;
    expect(line).toMatch(
      /^✖ .*500 \{"title":"oops"\} by \{"method":"GET","path":"\/api\/posts\?[^"]{1,30}","headers":\{"accept":"application\/json"\}\} \(seed 7, case \d+\)$/,
    );
    expect(code).toBe(1);
  });

  it('finds a response that does not match the document', async () => {
    respond = () => ({ status: 404, body: { error: 'nothing here' } });
    const { output } = await run();
    expect(output).toMatch(
      /^✖ bad-input: getBlogPost .*content type is "application\/json", not application\/problem\+json/m,
    );
  });

  it('sends nothing that changes data without --write', async () => {
    const methods = new Set<string>();
    const counted = await startScriptedServer(({ method = '' }) => {
      methods.add(method);
      return rejected;
    });
    const { output } = await runContract('website', '--base-url', counted.url, '--bad-input', '100');
    await counted.stop();
    expect(output).toMatch(/^– bad-input: createContactRequest .* changes data: needs --write$/m);
    expect([...methods].filter((method) => !['GET', 'HEAD', 'OPTIONS'].includes(method))).toEqual([]);
  });
});

const rejected: ScriptedResponse = {
  status: 400,
  headers: { 'content-type': 'application/problem+json' },
  body: { type: 'about:blank', title: 'Bad Request', status: 400, detail: 'No.' },
};
