import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import { Agent, fetch as undiciFetch, type RequestInit, type Response } from 'undici';
import { FRONTEND_URL, hostnames, type ServiceName } from './services.ts';

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** Sends requests as clients do: to three hostnames over TLS at the load balancer. */
export class Edge {
  private readonly agent: Agent;
  private readonly port: number;

  /** @param certificate in PEM, the only trusted one */
  constructor(port: number, certificate: string) {
    this.port = port;
    // Node's own fetch has no option for name resolution; undici's has one.
    this.agent = new Agent({
      connect: {
        ca: certificate,
        lookup: (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
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

  /** Returns the name of the process that responded. */
  static servedBy(response: Response): string {
    return response.headers.get('x-served-by') ?? '';
  }

  async signIn(email: string): Promise<Tokens> {
    const start = this.url(
      'account-service',
      `/api/v1/auth/github?${new URLSearchParams({ frontend_url: FRONTEND_URL })}`,
    );
    // The identity provider uses plain HTTP; only the services' hostnames need the agent.
    const fetchAny = (url: string | URL, init: RequestInit = {}) =>
      new URL(url).protocol === 'https:' ? this.fetch(String(url), init) : undiciFetch(url, init);
    const callback = await signInWithoutBrowser(start, email, {
      fetch: fetchAny as unknown as typeof globalThis.fetch,
    });
    const code = callback.searchParams.get('code');
    const response = await this.request('account-service', '/api/v1/auth/token', {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ code, redirect_uri: FRONTEND_URL }),
    });
    if (response.status !== 200)
      throw new Error(`the code exchange returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as Tokens;
  }

  private fetch(url: string, init: RequestInit): Promise<Response> {
    return undiciFetch(url, { ...init, dispatcher: this.agent });
  }
}
