import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gpu-observatory/embedded-database';
import { runCommand, startProcess, startService } from '../service-process.ts';
import { Target } from '../target.ts';
import { startTemporaryDatabase } from '../temporary-database.ts';

const posts = fileURLToPath(new URL('../../../../apps/website-api/content', import.meta.url));
const lowerBoundProgram = fileURLToPath(new URL('lower-bound.ts', import.meta.url));
/** The `Accept-Encoding` of browsers and agents. */
const REQUEST_HEADERS = { 'accept-encoding': 'gzip, deflate, br' };
/** Headers that differ per request or that Node sets itself. */
const VARIABLE_HEADERS = new Set(['date', 'connection', 'keep-alive', 'content-length', 'x-request-id']);

/** A response of the website, for replay. */
export interface RecordedResponse {
  path: string;
  etag: string;
  headers: Record<string, string>;
  /** Base64, in the content encoding of the headers. */
  body: string;
}

export interface Server {
  target: Target;
  /** URL of its metrics, without the path. */
  managementUrl: string;
}

export interface Servers {
  website: Server;
  /** Starts plain Fastify with these responses in its memory. */
  startLowerBound(responses: RecordedResponse[]): Promise<Server>;
  stop(): Promise<void>;
}

/** Starts one process of the built website-api with the repository's posts and its own database. */
export async function startServers(): Promise<Servers> {
  await using started = new AsyncDisposableStack();
  const { directory, environment } = await startTemporaryDatabase(started, 'website-api', {
    owner: 'website_owner',
    service: 'website_api',
  });
  const settings = {
    ...environment,
    SITE_URL: 'https://site.example',
    DOCS_URL: 'https://docs.example',
    FLEET_URL: 'https://fleet.example',
    ACCOUNT_URL: 'https://account.example',
    CONTACT_EMAIL: 'hello@site.example',
  };
  await runCommand('website-api', ['content', 'sync', posts], settings);
  // As in production: one log line per request.
  const service = await startService('website-api', { ...settings, LOG_LEVEL: 'info' });
  started.defer(() => service.stop());
  const running = started.move();
  const connect = (url: string, managementUrl: string): Server => {
    const target = new Target(url, REQUEST_HEADERS);
    running.defer(() => target.stop());
    return { target, managementUrl };
  };
  return {
    website: connect(service.url, service.managementUrl),
    async startLowerBound(responses) {
      const file = join(directory, 'responses.json');
      await writeFile(file, JSON.stringify(responses));
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const server = await startProcess(lowerBoundProgram, {
        url,
        readyUrl: `${url}/metrics`,
        environment: { PORT: String(port), RESPONSES: file },
      });
      running.defer(() => server.stop());
      return connect(url, url);
    },
    stop: () => running.disposeAsync(),
  };
}

/** @throws {Error} unless the response is a 200 in brotli */
export async function record({ target }: Server, path: string): Promise<RecordedResponse> {
  const { status, headers, bytes } = await target.get(path);
  if (status !== 200 || headers['content-encoding'] !== 'br')
    throw new Error(`${path} returned ${status} in encoding ${String(headers['content-encoding'])}`);
  const recorded = Object.entries(headers)
    .filter(([name]) => !VARIABLE_HEADERS.has(name))
    .map(([name, value]) => [name, String(value)] as const);
  return {
    path,
    etag: String(headers['etag']),
    headers: Object.fromEntries(recorded),
    body: bytes.toString('base64'),
  };
}
