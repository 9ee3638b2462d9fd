import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  signInWithoutBrowser,
  startIdentityProvider,
  demoAccounts,
  type IdentityProvider,
} from '../src/index.ts';
import { clients } from './support/test-provider.ts';

// A service between browser and provider. Its cookie needs a secure origin.
const frontendUrl = 'http://localhost:14000/app';
let service: Server;
let serviceUrl: string;
let provider: IdentityProvider;

beforeAll(async () => {
  service = createServer(handle).listen(0, '127.0.0.1');
  await once(service, 'listening');
  serviceUrl = `http://localhost:${(service.address() as AddressInfo).port}`;
  const github = { ...clients.github, redirectUris: [`${serviceUrl}/callback`] };
  provider = await startIdentityProvider({
    port: 0,
    accounts: demoAccounts,
    clients: { github, google: clients.google },
  });
});

afterAll(async () => {
  await provider.stop();
  service.close();
  service.closeAllConnections();
});

function handle(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', serviceUrl);
  const redirect = (location: URL) => response.writeHead(302, { Location: location.href }).end();
  if (url.pathname === '/sign-in' && url.searchParams.get('frontend_url') === frontendUrl) {
    response.setHeader('Set-Cookie', '__Host-state=kept; Path=/; Secure; HttpOnly; SameSite=Lax');
    const target = new URL(provider.github.authorizationUrl);
    target.search = new URLSearchParams({
      client_id: clients.github.clientId,
      redirect_uri: `${serviceUrl}/callback`,
      state: 'kept',
    }).toString();
    redirect(target);
  } else if (url.pathname === '/callback' && request.headers.cookie?.includes('__Host-state=kept')) {
    redirect(new URL(`${frontendUrl}/auth/callback${url.search}`));
  } else {
    response.writeHead(400).end('Invalid Frontend URL or state');
  }
}

function signInAt(frontend: string): string {
  return `${serviceUrl}/sign-in?frontend_url=${encodeURIComponent(frontend)}`;
}

it('follows the redirects up to the frontend', async () => {
  const url = await signInWithoutBrowser(signInAt(frontendUrl), 'ada@acme.example');
  expect(url.origin + url.pathname).toBe('http://localhost:14000/app/auth/callback');
  expect(url.searchParams.get('code')).toMatch(/^[\w-]{20,}$/);
  expect(url.searchParams.get('state')).toBe('kept');
});

it.each([
  [
    'a service that rejects the request',
    () => signInAt('http://evil.example'),
    'ada@acme.example',
    /expected the consent page, but http:\/\/localhost:\d+\/sign-in returned 400: Invalid Frontend URL or state/,
  ],
  [
    'an unknown account',
    () => signInAt(frontendUrl),
    'eve@evil.example',
    /returned 400: [^]*must be exactly one of ada@acme\.example, alan@acme\.example, .*eve@evil\.example/,
  ],
  [
    'a start without frontend_url',
    () => `${serviceUrl}/sign-in`,
    'ada@acme.example',
    'has no frontend_url: pass frontendOrigin.',
  ],
])('reports %s', async (_, start, email, message) => {
  await expect(async () => signInWithoutBrowser(start(), email)).rejects.toThrow(message);
});
