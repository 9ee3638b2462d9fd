import { generateKeyPair, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { AccountDirectory } from './account-directory.ts';
import type { Account, ProviderName } from './accounts.ts';
import type { Clients } from './clients.ts';
import { github, githubPaths } from './github.ts';
import { githubApiPaths } from './github-api.ts';
import { google, googlePaths } from './google.ts';

export interface IdentityProviderOptions {
  /** 0 selects a free port. */
  port: number;
  /** Origin that browsers use, such as `http://localhost:3004`. Default: the listening address. */
  publicUrl?: string;
  accounts: Account[];
  clients: Clients;
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>;

/** Absolute URLs of the endpoints. */
export type IdentityProviderEndpoints = Pick<IdentityProvider, 'github' | 'google'>;

/** Loopback only, because any account signs in without a password. */
const HOST = '127.0.0.1';

/**
 * Starts a local GitHub and Google for development and tests. It implements their OAuth 2.0 APIs on loopback and signs in
 * any account without a password. Cookie and signing keys are new at each start.
 *
 * @throws Error if NODE_ENV is production or the port is in use
 */
export async function startIdentityProvider(options: IdentityProviderOptions) {
  const { port, accounts, clients } = options;
  if (process.env['NODE_ENV'] === 'production') {
    throw new Error(
      'The local identity provider has no passwords, so it does not start with NODE_ENV=production. ' +
        'Use the real GitHub and Google in production.',
    );
  }
  const directory = new AccountDirectory(accounts);
  const signingKey = await generateSigningKey();

  const server = createServer();
  await waitUntilListening(server.listen(port, HOST), port);
  const url = options.publicUrl ?? `http://${HOST}:${(server.address() as AddressInfo).port}`;
  server.on(
    'request',
    routeByProvider({
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
    /**
     * Replaces the accounts from the next request on, for example to give an email to another user. Tokens of removed
     * accounts become invalid.
     */
    replaceAccounts: (replacing: Account[]) => directory.replace(replacing),
    /** Closes every connection and frees the port. */
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function generateSigningKey() {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' };
}

async function waitUntilListening(server: NodeJS.EventEmitter, port: number): Promise<void> {
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `Port ${port} on ${HOST} is in use: stop the other program, or choose another port for the identity provider.`,
      { cause: error },
    );
  }
}

/** Routes `/github/…` and `/google/…`. `baseUrl` is the removed prefix, for `oidc-provider`. */
function routeByProvider(providers: Record<ProviderName, RequestListener>): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    const [, name, rest] = /^\/(github|google)(\/.*)$/.exec(request.url ?? '') ?? [];
    const provider = providers[name as ProviderName];
    if (!provider) {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('Not found. The local identity provider serves /github/ and /google/.\n');
      return;
    }
    provider(Object.assign(request, { url: rest, baseUrl: `/${name}` }), response);
  };
}
