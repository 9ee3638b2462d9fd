import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { CredentialFiles } from '../../src/importer/scrape/credentials.ts';
import { getPage } from '../../src/importer/scrape/get-page.ts';
import { scrapeCommand } from '../../src/importer/scrape/scrape.command.ts';
import { createCertificate } from '../support/certificate.ts';

const PAGE = 'DCGM_FI_DEV_GPU_TEMP{UUID="GPU-1"} 40\n';

let folder: string;
let server: Server;
let port: number;
/** Whether the exporter accepts a request. */
let accepts: (headers: IncomingHttpHeaders) => boolean;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'scrape-https-'));
  const { cert, key } = createCertificate();
  server = createServer({ cert, key }, (request, response) => {
    if (accepts(request.headers)) response.end(PAGE);
    else response.writeHead(401).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  file('ca.pem', cert);
  file('other-ca.pem', createCertificate().cert);
});
afterAll(() => {
  server.close().closeAllConnections();
  rmSync(folder, { recursive: true });
});

const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const scrape = async (files: CredentialFiles, host = 'localhost', address: string | null = null) => {
  const endpoint = { name: 'exporter', url: new URL(`https://${host}:${port}/metrics`), address };
  return text(await getPage(endpoint, files, AbortSignal.timeout(30_000)));
};

describe('an https target', () => {
  beforeEach(() => {
    accepts = () => true;
  });

  it.each([
    ['a name', 'localhost', null],
    ['an address', '127.0.0.1', null],
    ['a resolved name', 'localhost', '127.0.0.1'],
  ])('is verified with the CA file, by %s', async (_how, host, address) => {
    expect(await scrape({ caFile: join(folder, 'ca.pem') }, host, address)).toBe(PAGE);
  });

  it.each([
    ['the authorities of the system', {}, 'localhost', /^self-signed certificate/],
    ['another CA', { caFile: 'other-ca.pem' }, 'localhost', /self-signed certificate|unable to verify/],
    ['another name', { caFile: 'ca.pem' }, 'exporter.example', /does not match certificate's altnames/],
  ])('is not scraped with %s', async (_why, { caFile }: { caFile?: string }, host, reason) => {
    const files = caFile === undefined ? {} : { caFile: join(folder, caFile) };
    await expect(scrape(files, host, '127.0.0.1')).rejects.toThrow(reason);
  });

  it('receives the bearer token of the file as of the scrape', async () => {
    accepts = ({ authorization }) => authorization === 'Bearer second';
    const files = { caFile: join(folder, 'ca.pem'), bearerTokenFile: file('token', 'first\n') };
    await expect(scrape(files)).rejects.toThrow('HTTP status 401');
    file('token', 'second\n');
    expect(await scrape(files)).toBe(PAGE);
  });

  it('receives user and password, which may contain colons and non-ASCII characters', async () => {
    const pair = Buffer.from('collector:pä:ss wörd').toString('base64');
    accepts = ({ authorization }) => authorization === `Basic ${pair}`;
    const passwordFile = file('password', 'pä:ss wörd\r\n');
    const basicAuth = { username: 'collector', passwordFile };
    expect(await scrape({ caFile: join(folder, 'ca.pem'), basicAuth })).toBe(PAGE);
  });

  it('is down while a file cannot be read', async () => {
    await expect(scrape({ caFile: join(folder, 'none.pem') })).rejects.toThrow(
      /^cannot read --ca-file: ENOENT/,
    );
  });
});

describe('the command', () => {
  const HTTPS = ['--target', 'https://n:9400'];
  it.each([
    [[...HTTPS, '--username', 'u'], /--username and --password-file must be given together/],
    [[...HTTPS, '--username', 'u:v', '--password-file', 'password'], /must not contain a colon/],
    [
      [...HTTPS, '--username', 'u', '--password-file', 'password', '--bearer-token-file', 'token'],
      /must not be given together/,
    ],
    [[...HTTPS, '--ca-file', 'none.pem'], /cannot read --ca-file: ENOENT/],
    [[...HTTPS, '--bearer-token-file', 'empty'], /--bearer-token-file .* is empty/],
    [[...HTTPS, '--bearer-token-file', 'lines'], /--bearer-token-file .* has more than one line/],
    [
      [...HTTPS, '--target', 'http://m:9400', '--bearer-token-file', 'token'],
      /credentials and --ca-file require https targets, got http:\/\/m:9400/,
    ],
    [[...HTTPS, '--workspace-name', ' '], /It must have 1 to 1000 characters/],
  ])('rejects %j', async (args, message) => {
    for (const [name, content] of Object.entries({ password: 'p', token: 't', empty: '\n', lines: 'a\nb' }))
      file(name, content);
    const inFolder = args.map((arg, n) => (/-file$/.test(args[n - 1] ?? '') ? join(folder, arg) : arg));
    const command = scrapeCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => undefined });
    await expect(
      command.parseAsync(['--customer', '1', '--workspace', '1', ...inFolder], { from: 'user' }),
    ).rejects.toThrow(message);
  });
});
