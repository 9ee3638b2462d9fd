import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Runtime } from '@gpu-observatory/service-runtime';
import { Database, DomainError, oauthErrors } from '@gpu-observatory/service-runtime/process';
import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';
import { AnonymousRejections } from '../audit/anonymous-rejections.ts';
import { audit, type Origin } from '../audit/audit.ts';
import { AccessTokens, type KeyTokenResponse } from '../tokens/access-tokens.ts';
import { type ClientKey, findClientKey } from './clients.queries.ts';
import { recordKeyUse } from './key-use.ts';
import { hashKeySecret } from './secret.ts';

/** What a client sends to authenticate itself. */
export interface ClientCredentials {
  id: string;
  secret: string;
}

/** The challenge is that of Basic for every failed authentication (RFC 6749, section 5.2). */
export function invalidClient(message: string): DomainError {
  return new DomainError(oauthErrors.invalidClient, message, {
    headers: { 'www-authenticate': 'Basic realm="gpu-observatory"' },
  });
}

/** Compared with the hash of a secret when no key has the id. */
const NO_HASH = Buffer.alloc(32);

/** API keys as OAuth clients: `client_id` is the id of a key, `client_secret` the key (`docs/account-service.md#access-tokens-for-programs`). */
@Injectable()
export class Clients {
  private readonly count: (result: 'issued' | 'invalid_client' | 'invalid_scope') => void;

  constructor(
    private readonly database: Database,
    private readonly accessTokens: AccessTokens,
    private readonly rejections: AnonymousRejections,
    { metrics }: Runtime,
  ) {
    this.count = metrics.counter(
      'key_token_requests_total',
      'Token requests of API keys, by result.',
      'result',
    );
  }

  /**
   * Every failure has the same response and takes the same statements, so that it discloses neither which ids exist nor which
   * keys are disabled.
   *
   * @throws {DomainError} 401 `invalid_client`
   */
  async authenticate({ id, secret }: ClientCredentials, origin: Origin): Promise<ClientKey> {
    const key = await findClientKey(this.database, id);
    const isSecret = timingSafeEqual(hashKeySecret(secret), key?.secret_hash ?? NO_HASH);
    if (key && isSecret && key.is_active) return key;
    this.count('invalid_client');
    const cause = key === undefined ? 'unknown key' : isSecret ? 'inactive key' : 'wrong secret';
    // Not `reason`, which would give each cause its own number of audit rows, and so its own duration.
    const detail = { cause, ...(key && { api_key: key.id }) };
    await this.rejections.record({ action: 'client_rejected', customerId: key?.customer_id, detail }, origin);
    throw invalidClient('The API key is unknown, rotated, expired or disabled, or client_id is not its id.');
  }

  /**
   * Issues an access token that reads what the key reads.
   *
   * @param scope requested scopes, separated by spaces; all by default
   * @throws {DomainError} 400 `invalid_scope`
   */
  async issueToken(key: ClientKey, scope: string | undefined, origin: Origin): Promise<KeyTokenResponse> {
    if (scope !== undefined && scope.split(' ').some((each) => each !== FLEET_READ_SCOPE)) {
      throw this.invalidScope(`scope must be ${FLEET_READ_SCOPE}, or omitted.`);
    }
    const { id, customer_id, workspace_id, read_access: readAccess } = key;
    if (readAccess === null) {
      throw this.invalidScope(
        `The key may not read: an owner of its workspace can grant it the scope ${FLEET_READ_SCOPE}.`,
      );
    }
    const access = [
      { customer_id, workspace_ids: readAccess === 'customer' ? ('all' as const) : [workspace_id] },
    ];
    const session = { id: key.token_session_id, keyId: id, expiresAt: key.expires_at };
    const token = await this.accessTokens.issueForKey(session, access, key.read_at);
    if (!key.used_recently) await recordKeyUse(this.database, id);
    const event = { action: 'api_key_token_issued', actor: `key:${id}`, customerId: customer_id } as const;
    await audit(this.database, { ...event, detail: { api_key: id, workspace: workspace_id } }, origin);
    this.count('issued');
    return token;
  }

  private invalidScope(message: string): DomainError {
    this.count('invalid_scope');
    return new DomainError(oauthErrors.invalidScope, message);
  }
}
