import { generateKeyPair, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { z } from 'zod';
import { AccountDirectory } from './account-directory.ts';
import type { Account, ProviderName } from './accounts.ts';
import { clientsSchema, type Clients } from './clients.ts';
import { github, githubPaths } from './github.ts';
import { githubApiPaths } from './github-api.ts';
import { google, googlePaths } from './google.ts';

export interface IdentityProviderOptions {
  /** 0 takes a free port. */
  port: number;
  /** A loopback address; others are refused. */
  host?: string;
  /** The address that browsers use, e.g. `http://localhost:3004`; that of the socket by default. */
  publicUrl?: string;
  accounts: Account[];
  clients: Clients;
}

/** Where a client finds the endpoints. Every one is an absolute URL. */
export interface IdentityProviderEndpoints {
  url: string;
  github: { authorizationUrl: string; tokenUrl: string; userUrl: string; emailsUrl: string };
  google: { authorizationUrl: string; tokenUrl: string; userInfoUrl: string };
}

export interface IdentityProvider extends IdentityProviderEndpoints {
  /**
   * People change at a provider: an address passes to someone else, a person gets another one. Holds from the
   * next request on; a token of an account that is gone is refused.
   */
  replaceAccounts(accounts: Account[]): void;
  /** Closes every connection and frees the port. */
  stop(): Promise<void>;
}

const loopbackAddresses = ['127.0.0.1', '::1'];

/**
 * Starts GitHub and Google for developers and tests: their OAuth 2.0 wire protocols, on loopback, for anyone
 * who picks an account. Cookie and signing keys are new at each start.
 *
 * @throws Error if NODE_ENV is production, the host is not loopback, the port is taken, or an account or client
 *   is not usable; its message says what would be right
 */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const { port, host = '127.0.0.1' } = options;
  if (process.env['NODE_ENV'] === 'production') {
    throw new Error(
      'The local identity provider signs in anyone as anyone, so it refuses to start with NODE_ENV=production. ' +
        'Configure the real GitHub and Google there.',
    );
  }
  if (!loopbackAddresses.includes(host)) {
    throw new Error(
      `The local identity provider listens on loopback only: host is "${host}", use 127.0.0.1 or ::1.`,
    );
  }
  const directory = new AccountDirectory(options.accounts);
  const clients = checkedClients(options.clients);
  const publicUrl = options.publicUrl && originOf(options.publicUrl);
  const signingKey = await newSigningKey();

  const server = createServer();
  await listening(server.listen(port, host), port, host);
  const url = publicUrl || socketUrl(server.address() as AddressInfo);
  server.on(
    'request',
    byFirstSegment({
      github: github({ url, client: clients.github, directory, signingKey }).callback(),
      google: google({ url, client: clients.google, directory, signingKey }).callback(),
    }),
  );

  return {
    url,
    github: {
      authorizationUrl: `${url}/github${githubPaths.authorization}`,
      tokenUrl: `${url}/github${githubPaths.token}`,
      userUrl: `${url}/github${githubApiPaths.user}`,
      emailsUrl: `${url}/github${githubApiPaths.emails}`,
    },
    google: {
      authorizationUrl: `${url}/google${googlePaths.authorization}`,
      tokenUrl: `${url}/google${googlePaths.token}`,
      userInfoUrl: `${url}/google${googlePaths.userinfo}`,
    },
    replaceAccounts: (accounts) => directory.replace(accounts),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function checkedClients(clients: unknown): Clients {
  const result = clientsSchema.safeParse(clients);
  if (!result.success) throw new Error(`The clients are not usable:\n${z.prettifyError(result.error)}`);
  return result.data;
}

async function newSigningKey() {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
}

async function listening(server: NodeJS.EventEmitter, port: number, host: string): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${port} on ${host} is taken: stop what listens there, or choose another port for the identity provider.`,
      { cause: error },
    );
  }
}

function originOf(publicUrl: string): string {
  const parsed = URL.canParse(publicUrl) ? new URL(publicUrl) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.href !== `${parsed.origin}/`) {
    throw new Error(`publicUrl is "${publicUrl}", it must be an origin such as http://localhost:3004.`);
  }
  return parsed.origin;
}

function socketUrl({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** `/github/…` is GitHub's, `/google/…` Google's; `baseUrl` tells `oidc-provider` what was cut off. */
function byFirstSegment(providers: Record<ProviderName, RequestListener>): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    const [, name, rest] = /^\/(github|google)(\/.*)$/.exec(request.url ?? '') ?? [];
    const provider = providers[name as ProviderName];
    if (!provider) {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('The local identity provider answers below /github/ and /google/.\n');
      return;
    }
    provider(Object.assign(request, { url: rest, baseUrl: `/${name}` }), response);
  };
}
