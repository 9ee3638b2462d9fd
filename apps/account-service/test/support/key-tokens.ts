import {
  type Caller,
  httpRevocationSource,
  keyAudienceOf,
  remoteSigningKeys,
  RevocationFeed,
  TokenVerifier,
} from '@gpu-observatory/token-verification';
import { INTERNAL_CREDENTIAL, type RunningAccountService } from './running-account-service.ts';

export interface KeyToken {
  access_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
}

/** Sends a token request with these fields. */
export function requestToken(
  service: RunningAccountService,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${service.url}/oauth/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  });
}

/** Exchanges a key for a token. */
export function exchangeKey(
  service: RunningAccountService,
  { id, key }: { id: number | string; key: string },
  headers: Record<string, string> = {},
): Promise<Response> {
  return requestToken(
    service,
    { grant_type: 'client_credentials', client_id: String(id), client_secret: key },
    headers,
  );
}

/** Returns the claims of a token without verifying it. */
export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;
}

/** Verifies tokens like fleet-api: with the keys and the revocation feed of a running account-service, over HTTP. */
export class FleetVerifier {
  private readonly signingKeys: ReturnType<typeof remoteSigningKeys>;
  private readonly feed: RevocationFeed;
  private readonly verifier: TokenVerifier;

  constructor({ url, internalUrl }: RunningAccountService) {
    this.signingKeys = remoteSigningKeys(`${url}/.well-known/jwks.json`);
    this.feed = new RevocationFeed(httpRevocationSource(internalUrl, INTERNAL_CREDENTIAL));
    this.verifier = new TokenVerifier({
      issuer: url,
      audience: 'gpu-observatory',
      keyAudience: keyAudienceOf('gpu-observatory'),
      keys: this.signingKeys.keys,
      revocations: this.feed.revocations,
    });
  }

  async start(): Promise<void> {
    this.signingKeys.start();
    await this.feed.start();
  }

  verify(token: string): Promise<Caller | null> {
    return this.verifier.verify(token);
  }

  stop(): void {
    this.feed.stop();
    this.signingKeys.stop();
  }
}
