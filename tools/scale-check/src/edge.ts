import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { Agent, fetch as fetchThrough, type RequestInit, type Response } from 'undici';
import { FRONTEND_URL, hostnames, type ServiceName } from './services.ts';

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** The deployment as its users reach it: three hostnames over TLS, all at the load balancer. */
export class Edge {
  private readonly agent: Agent;
  private readonly port: number;

  /** @param certificate in PEM, the only one that is trusted */
  constructor(port: number, certificate: string) {
    this.port = port;
    // Node's own fetch cannot be told where a hostname is; undici, which it is made of, can.
    this.agent = new Agent({
      connect: {
        ca: certificate,
        lookup: (_hostname, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
      },
    });
  }

  async close(): Promise<void> {
    await this.agent.close();
  }

  url(service: ServiceName, path: string): string {
    return `https://${hostnames[service]}:${this.port}${path}`;
  }

  request(service: ServiceName, path: string, init: RequestInit = {}): Promise<Response> {
    return this.fetch(this.url(service, path), init);
  }

  /** Which process of a service answered. */
  static servedBy(answer: Response): string {
    return answer.headers.get('x-served-by') ?? '';
  }

  async signIn(email: string): Promise<Tokens> {
    const start = this.url(
      'account-service',
      `/api/v1/auth/github?${new URLSearchParams({ frontend_url: FRONTEND_URL })}`,
    );
    // The provider is plain HTTP on this machine; only our hostnames need the agent.
    const fetch = (url: string | URL, init: RequestInit = {}) =>
      new URL(url).protocol === 'https:' ? this.fetch(String(url), init) : fetchThrough(url, init);
    const callback = await signInWithoutBrowser(start, email, {
      fetch: fetch as unknown as typeof globalThis.fetch,
    });
    const code = callback.searchParams.get('code');
    const answer = await this.request('account-service', '/api/v1/auth/token', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ code, redirect_uri: FRONTEND_URL }),
    });
    if (answer.status !== 200)
      throw new Error(`The code was refused: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Tokens;
  }

  private fetch(url: string, init: RequestInit): Promise<Response> {
    return fetchThrough(url, { ...init, dispatcher: this.agent });
  }
}
