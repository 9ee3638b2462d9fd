import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gpu-observatory/embedded-database';
import { type IdentityProvider, signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { type AccountDatabase, createAccountDatabase, TENANTS } from './account-database.ts';
import {
  environmentFor,
  FRONTEND_URL,
  startProviderFor,
  type SessionTokens,
} from './running-account-service.ts';
import { approve, beginSignIn, openCallback } from './partial-sign-in.ts';

const project = new URL('../../', import.meta.url);
const program = fileURLToPath(new URL('dist/src/main.js', project));
/** Ends a child process when its parent is gone, so that a killed test leaves no service running. */
const exitWithParent = new URL('../../tools/bootstrap/exit-with-parent.mjs', project).href;
const START_WITHIN_MS = 240_000;

export interface HttpResponse {
  status: number;
  body: string;
}

/** Several processes of the built service on one database. */
export class Replicas {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 32 });

  private constructor(
    readonly urls: string[],
    readonly internalUrls: string[],
    readonly database: AccountDatabase,
    private readonly provider: IdentityProvider,
    private readonly processes: ChildProcess[],
    private readonly output: string[],
  ) {}

  static async start(count: number): Promise<Replicas> {
    const database = await createAccountDatabase();
    await database.applyTenants(TENANTS);
    const ports = await Promise.all(Array.from({ length: count * 3 }, freePort));
    const urls = ports.slice(0, count).map((port) => `http://127.0.0.1:${port}`);
    const [publicUrl = ''] = urls;
    const provider = await startProviderFor(publicUrl);
    const output: string[] = [];
    const processes = urls.map((_url, index) => {
      const child = spawn(process.execPath, ['--import', exitWithParent, program], {
        env: {
          ...environmentFor(publicUrl, ports[index] as number, database.serviceUrl, provider),
          MANAGEMENT_PORT: String(ports[count + index]),
          INTERNAL_PORT: String(ports[2 * count + index]),
          SHUTDOWN_DRAIN_SECONDS: '0',
          LOG_LEVEL: 'trace',
          PASSWORD_SIGN_IN: 'true',
        },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
      }
      return child;
    });
    const internalUrls = ports.slice(2 * count).map((port) => `http://127.0.0.1:${port}`);
    const replicas = new Replicas(urls, internalUrls, database, provider, processes, output);
    try {
      await Promise.all(ports.slice(count, 2 * count).map((port) => replicas.ready(port)));
    } catch (failure) {
      await replicas.stop();
      throw failure;
    }
    return replicas;
  }

  /** Combined output of all processes. */
  get log(): string {
    return this.output.join('');
  }

  async stop(): Promise<void> {
    this.agent.destroy();
    await Promise.all(
      this.processes.map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGTERM');
        await once(child, 'exit');
      }),
    );
    await this.provider.stop();
    await this.database.drop();
  }

  /**
   * Runs a sign-in in a separate browser up to the approval.
   *
   * @returns its secrets, and `finish`, which opens the callback at the n-th replica and returns the final URL, or undefined for
   *   503, which an overloaded machine may respond
   */
  async approveSignIn(
    email: string,
  ): Promise<{ secrets: string[]; finish(replica: number): Promise<URL | undefined> }> {
    const service = {
      url: this.urls[0] as string,
      get: (path: string) => fetch(`${this.urls[0]}${path}`, { redirect: 'manual' }),
    };
    const attempt = await beginSignIn(service);
    const callback = await approve(service, attempt, email);
    const [, cookie = ''] = attempt.cookie.split('=');
    return {
      secrets: [cookie, attempt.state, callback.searchParams.get('code') as string],
      finish: async (replica) => {
        callback.port = new URL(this.urls[replica % this.urls.length] as string).port;
        const response = await openCallback(callback, attempt.cookie);
        if (response.status === 503) return undefined;
        return new URL(response.headers.get('location') as string);
      },
    };
  }

  /** @returns the final URL at the frontend */
  async signIn(email: string): Promise<URL> {
    const start = new URL(`${this.urls[0]}/api/v1/auth/github`);
    start.searchParams.set('frontend_url', FRONTEND_URL);
    return signInWithoutBrowser(start, email);
  }

  async signInForCode(email: string): Promise<string> {
    return (await this.signIn(email)).searchParams.get('code') as string;
  }

  async session(email: string): Promise<SessionTokens> {
    const response = await this.redeem(0, await this.signInForCode(email));
    if (response.status !== 200) throw new Error(`the exchange responded ${response.status}`);
    return JSON.parse(response.body) as SessionTokens;
  }

  redeem(replica: number, code: string, redirectUri = FRONTEND_URL): Promise<HttpResponse> {
    return this.send(replica, 'POST', '/api/v1/auth/token', { body: { code, redirect_uri: redirectUri } });
  }

  refresh(replica: number, refreshToken: string): Promise<HttpResponse> {
    return this.send(replica, 'POST', '/api/v1/auth/refresh', { body: { refresh_token: refreshToken } });
  }

  /**
   * Sends a request to the n-th replica, modulo their number. Uses `node:http`, because `fetch` costs more CPU than the
   * service.
   */
  send(
    replica: number,
    method: string,
    path: string,
    { token, body }: { token?: string; body?: object } = {},
  ): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const text = body && JSON.stringify(body);
      const sent = request(
        `${this.urls[replica % this.urls.length]}${path}`,
        {
          method,
          agent: this.agent,
          headers: {
            accept: 'application/json',
            ...(text !== undefined && {
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          },
        },
        (response) => {
          let received = '';
          response.setEncoding('utf8');
          response.on('data', (part: string) => (received += part));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body: received }));
        },
      );
      sent.on('error', reject);
      sent.end(text);
    });
  }

  private async ready(managementPort: number): Promise<void> {
    const deadline = Date.now() + START_WITHIN_MS;
    for (;;) {
      const response = await fetch(`http://127.0.0.1:${managementPort}/readyz`).catch(() => null);
      if (response?.status === 200) return;
      if (Date.now() > deadline) throw new Error(`a replica did not become ready:\n${this.log}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
