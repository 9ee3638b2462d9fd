import { freePort } from '@gpu-observatory/embedded-database';
import {
  accountServiceEnvironment,
  demoAccounts,
  type IdentityProvider,
  signInWithoutBrowser,
  startIdentityProvider,
} from '@gpu-observatory/identity-provider';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type RunningService, runService } from '@gpu-observatory/service-runtime';
import { accountService } from '../../src/account-service.ts';
import { readConfig } from '../../src/config/account.config.ts';
import type { ProviderId } from '../../src/sign-in/sign-in-methods.ts';
import { InternalServer } from '../../src/internal/internal-server.ts';
import { type AccountDatabase, createAccountDatabase, TENANTS } from './account-database.ts';
import { runCommand, runCommandWithInput } from './run-command.ts';
import { TestClock } from './test-clock.ts';

export const FRONTEND_URL = 'http://localhost:3000';
export const SIGNING_KEY_SECRET = 'what-encrypts-the-signing-keys-of-the-tests';
export const INTERNAL_CREDENTIAL = 'the-credential-that-our-services-share';

/** PKCE example of https://www.rfc-editor.org/rfc/rfc7636#appendix-B */
export const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export interface SessionTokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
}

export interface AccountServiceOptions {
  tenants?: string;
  environment?: Record<string, string> | ((provider: IdentityProvider) => Record<string, string>);
  beforeRoutes?: (application: NestFastifyApplication) => void;
}

/** account-service with a real database and a real local identity provider, over HTTP. */
export class RunningAccountService {
  url!: string;
  internalUrl!: string;
  running!: RunningService;
  provider!: IdentityProvider;
  database!: AccountDatabase;
  readonly clock = new TestClock(() => this.database.asOwner);

  static async start(options?: AccountServiceOptions): Promise<RunningAccountService> {
    const service = new RunningAccountService();
    await service.open(options);
    return service;
  }

  async open({
    tenants = TENANTS,
    environment = {},
    beforeRoutes = () => undefined,
  }: AccountServiceOptions = {}): Promise<void> {
    this.database = await createAccountDatabase();
    await this.database.applyTenants(tenants);
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    this.provider = await startProviderFor(this.url);
    const definition = accountService(this.clock);
    this.running = await runService(
      {
        ...definition,
        extend: async (application, ...rest) => {
          beforeRoutes(application);
          await definition.extend?.(application, ...rest);
        },
      },
      readConfig({
        ...environmentFor(this.url, port, this.database.serviceUrl, this.provider),
        ...(typeof environment === 'function' ? environment(this.provider) : environment),
      }),
    );
    this.internalUrl = await this.running.application.get(InternalServer).url();
  }

  async stop(): Promise<void> {
    await this.running.close();
    await this.provider.stop();
    await this.database.drop();
  }

  /** Runs an operations command as the operator olga. */
  run(...args: string[]): Promise<string> {
    return runCommand(this.operatorEnvironment, ...args);
  }

  /** Runs an operations command with further variables. */
  runWith(environment: Record<string, string>, ...args: string[]): Promise<string> {
    return runCommand({ ...this.operatorEnvironment, ...environment }, ...args);
  }

  runWithInput(input: string, ...args: string[]): Promise<string> {
    return runCommandWithInput(this.operatorEnvironment, input, ...args);
  }

  private get operatorEnvironment(): Record<string, string> {
    return { OWNER_DATABASE_URL: this.database.ownerUrl, OPERATOR: 'olga', SIGNING_KEY_SECRET };
  }

  /** @returns the final URL at the frontend */
  async signIn(
    email: string,
    provider: ProviderId = 'github',
    parameters: Record<string, string> = {},
  ): Promise<URL> {
    const query = new URLSearchParams({ frontend_url: FRONTEND_URL, ...parameters });
    return signInWithoutBrowser(`${this.url}/api/v1/auth/${provider}?${query}`, email);
  }

  async signInForCode(...signIn: Parameters<RunningAccountService['signIn']>): Promise<string> {
    const ended = await this.signIn(...signIn);
    const code = ended.searchParams.get('code');
    if (code === null) throw new Error(`the sign-in ended at ${ended.href}`);
    return code;
  }

  async session(email: string, provider: ProviderId = 'github'): Promise<SessionTokens> {
    const response = await this.redeem(await this.signInForCode(email, provider));
    if (response.status !== 200) throw new Error(`the exchange responded ${response.status}`);
    return (await response.json()) as SessionTokens;
  }

  /** Signs in like a page in cookie mode, and returns the response of the exchange. */
  async cookieSession(email: string, headers: Record<string, string> = {}): Promise<Response> {
    const code = await this.signInForCode(email, 'github', { code_challenge: CODE_CHALLENGE });
    const body = { code, redirect_uri: FRONTEND_URL, code_verifier: CODE_VERIFIER };
    return this.post('/api/v1/auth/token', body, { accept: '*/*', origin: FRONTEND_URL, ...headers });
  }

  redeem(code: string, redirectUri = FRONTEND_URL): Promise<Response> {
    return this.post('/api/v1/auth/token', { code, redirect_uri: redirectUri });
  }

  refresh(refreshToken: string): Promise<Response> {
    return this.post('/api/v1/auth/refresh', { refresh_token: refreshToken });
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  get(path: string, accessToken?: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      redirect: 'manual',
      headers: { ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }), ...headers },
    });
  }

  /** Waits until a condition is true, up to 2 s, the deadline of a revocation. */
  async within2Seconds(condition: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 2_000;
    for (;;) {
      const isLast = Date.now() > deadline;
      if (await condition()) return;
      if (isLast) throw new Error('the condition was not met within 2 s');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Starts the service before the tests of a file and stops it after them. */
export function useAccountService(options?: AccountServiceOptions): RunningAccountService {
  const service = new RunningAccountService();
  beforeAll(() => service.open(options));
  afterAll(() => service.stop());
  return service;
}

/** Starts an identity provider with the clients of a service at this URL. */
export function startProviderFor(serviceUrl: string): Promise<IdentityProvider> {
  return startIdentityProvider({ port: 0, accounts: demoAccounts, clients: clientsOf(serviceUrl) });
}

function clientsOf(serviceUrl: string) {
  const client = (id: 'github' | 'google') => ({
    clientId: `${id}-client`,
    clientSecret: `${id}-secret`,
    // The local Google is a complete OpenID Connect provider, so it serves as a generic one too.
    redirectUris: [id, 'oidc'].map((provider) => `${serviceUrl}/api/v1/auth/${provider}/callback`),
  });
  return { github: client('github'), google: client('google') };
}

/** Returns the settings with which the local Google is also the OpenID Connect provider. */
export function oidcEnvironment(provider: Pick<IdentityProvider, 'url'>): Record<string, string> {
  return {
    OIDC_ISSUER: `${provider.url}/google`,
    OIDC_CLIENT_ID: 'google-client',
    OIDC_CLIENT_SECRET: 'google-secret',
    OIDC_DOMAINS: 'acme.example',
    OIDC_NAME: 'Acme SSO',
  };
}

export function environmentFor(
  url: string,
  port: number,
  databaseUrl: string,
  provider: Pick<IdentityProvider, 'github' | 'google'>,
): Record<string, string> {
  return {
    HOST: '127.0.0.1',
    PORT: String(port),
    MANAGEMENT_PORT: '0',
    INTERNAL_PORT: '0',
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    ALLOWED_ORIGINS: FRONTEND_URL,
    DATABASE_URL: databaseUrl,
    PUBLIC_URL: url,
    FRONTEND_URLS: FRONTEND_URL,
    SIGNING_KEY_SECRET,
    INTERNAL_CREDENTIAL,
    RATE_LIMITS: 'false',
    ...accountServiceEnvironment(provider, clientsOf(url)),
  };
}
