import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beginSignIn, openCallback } from './partial-sign-in.ts';
import { FRONTEND_URL, type RunningAccountService } from './running-account-service.ts';

export const CLIENT_ID = 'observatory';
export const CLIENT_SECRET = 'the-client-secret-of-the-scripted-issuer';

const ACCESS_TOKEN = 'access-token-of-the-scripted-issuer';

/** OpenID Connect provider over HTTP whose tokens and userinfo a test chooses. */
export class ScriptedIssuer {
  url!: string;
  keys!: Record<'publicKey' | 'privateKey', CryptoKey>;
  /** Metadata in addition to the required fields. */
  metadata: Record<string, unknown> = {};
  /** Response of the token endpoint. */
  tokenResponse: object = {};
  /** Response of the userinfo endpoint; null fails with 500. */
  userinfo: object | null = null;
  /** Paths of the requests since they were cleared. */
  requests: string[] = [];

  private readonly server = createServer((request, response) => {
    void this.respond(request).then((body) => {
      response.statusCode = body === null ? 500 : 200;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body ?? {}));
    });
  });

  static async start(): Promise<ScriptedIssuer> {
    const issuer = new ScriptedIssuer();
    issuer.keys = await generateKeyPair('ES256');
    await once(issuer.server.listen(0, '127.0.0.1'), 'listening');
    issuer.url = `http://127.0.0.1:${(issuer.server.address() as AddressInfo).port}`;
    issuer.metadata = { userinfo_endpoint: `${issuer.url}/userinfo` };
    return issuer;
  }

  /** Settings of account-service for this issuer. */
  get environment(): Record<string, string> {
    return {
      OIDC_ISSUER: this.url,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_DOMAINS: 'acme.example',
    };
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /** Returns valid claims of an ID token with the address ada@acme.example. */
  claims(changes: JWTPayload): JWTPayload {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, exp: now + 60 };
    const email = { email: 'ada@acme.example', email_verified: true };
    return { iss: this.url, aud: CLIENT_ID, sub: 'ada', ...times, ...email, ...changes };
  }

  sign(payload: JWTPayload, key = this.keys.privateKey): Promise<string> {
    return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(key);
  }

  /**
   * Signs in with this ID token.
   *
   * @param iss parameter of the callback (RFC 9207)
   * @returns the query that the frontend receives
   */
  async outcome(
    service: RunningAccountService,
    idToken: (nonce: string) => Promise<string | undefined>,
    iss: string | null = this.url,
  ): Promise<string> {
    const attempt = await beginSignIn(service, 'oidc');
    const nonce = attempt.authorizationUrl.searchParams.get('nonce') ?? '';
    this.tokenResponse = { access_token: ACCESS_TOKEN, token_type: 'bearer', id_token: await idToken(nonce) };
    const callback = new URL(`${service.url}/api/v1/auth/oidc/callback?code=x&state=${attempt.state}`);
    if (iss !== null) callback.searchParams.set('iss', iss);
    const response = await openCallback(callback, attempt.cookie);
    return (response.headers.get('location') ?? `${response.status}`).replace(
      `${FRONTEND_URL}/auth/callback?`,
      '',
    );
  }

  private async respond({ url = '', headers }: IncomingMessage): Promise<object | null> {
    this.requests.push(url);
    switch (url) {
      case '/jwks':
        return { keys: [{ ...(await exportJWK(this.keys.publicKey)), kid: 'k', alg: 'ES256' }] };
      case '/token':
        return this.tokenResponse;
      case '/userinfo':
        return headers.authorization === `Bearer ${ACCESS_TOKEN}` ? this.userinfo : null;
      default:
        return {
          issuer: this.url,
          authorization_endpoint: `${this.url}/authorize`,
          token_endpoint: `${this.url}/token`,
          jwks_uri: `${this.url}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
          authorization_response_iss_parameter_supported: true,
          ...this.metadata,
        };
    }
  }
}
