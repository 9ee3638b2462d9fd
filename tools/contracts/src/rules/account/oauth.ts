import type { HttpResponse } from '../../deployment/http-exchange.ts';
import { errorWith, expectHeader, expectSame, expectStatus, expectThat } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { API, NO_SUCH_ID, type Schemas } from './requests.ts';
import { type Key, withKey } from './with-key.ts';

const TOKEN = '/oauth/token';
const expectOAuthError = errorWith('error', 'error_description');

function requestToken(target: Target, fields: Record<string, string>): Promise<HttpResponse> {
  return target.send('POST', TOKEN, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
}

const exchange = (target: Target, { id, key }: Pick<Key, 'id' | 'key'>) =>
  requestToken(target, { grant_type: 'client_credentials', client_id: String(id), client_secret: key });

export const oauth: Rule[] = [
  rule('authorization-server-metadata', 'RFC 8414, section 3', async (target) => {
    const response = await target.get('/.well-known/oauth-authorization-server');
    const metadata = expectStatus<Schemas['AuthorizationServerMetadata']>(response, 200);
    expectThat(metadata.token_endpoint.endsWith(TOKEN), 'token_endpoint is another path');
    expectSame(metadata.grant_types_supported, ['client_credentials'], 'the grant types');
    return metadata.token_endpoint;
  }),
  rule('invalid-clients-rejected', 'RFC 6749, section 5.2', async (target) => {
    const unknown = { id: NO_SUCH_ID, key: '00000000-0000-4000-8000-000000000000' };
    const rejected = await exchange(target, unknown);
    expectOAuthError(rejected, 401, 'invalid_client', 'an unknown key');
    expectHeader(rejected, 'www-authenticate', /^Basic /);
    const anonymous = await requestToken(target, { grant_type: 'client_credentials' });
    expectOAuthError(anonymous, 401, 'invalid_client', 'no credentials');
    const json = await target.post(TOKEN, { grant_type: 'client_credentials' });
    expectOAuthError(json, 415, 'invalid_request', 'JSON');
    return 'unknown 401, anonymous 401, JSON 415';
  }),
  rule(
    'client-credentials-lifecycle',
    'docs/account-service.md#access-tokens-for-programs',
    async (target) => {
      const key = await withKey(target, ['owner'], async (created) => {
        const path = `${API}/keys/${created.id}/scopes`;
        const setScopes = async (scopes: string[]) => {
          const headers = { 'content-type': 'application/json', ...target.bearer() };
          expectStatus(await target.send('PUT', path, { headers, body: JSON.stringify({ scopes }) }), 200);
        };
        expectOAuthError(await exchange(target, created), 400, 'invalid_scope', 'a key that may not read');
        const scopes = ['telemetry:write', 'fleet:read'];
        await setScopes(scopes);
        const listed = expectStatus(await target.read(path), 200);
        expectSame(listed, { scopes, all_workspaces: false }, 'the scopes');
        const granted = await exchange(target, created);
        const token = expectStatus<Schemas['KeyTokenResponse']>(granted, 200);
        expectThat(token.expires_in <= 900, `the token lives ${token.expires_in} s`);
        const me = await target.get(`${API}/me`, { authorization: `Bearer ${token.access_token}` });
        expectThat(me.status === 401, `the account service answered ${me.status} to the token of a key`);
        await setScopes(['telemetry:write']);
        const revoked = await exchange(target, created);
        expectOAuthError(revoked, 400, 'invalid_scope', 'a key that may no longer read');
      });
      expectOAuthError(await exchange(target, key), 401, 'invalid_client', 'a deleted key');
      return 'granted, exchanged, rejected by the account service, revoked, deleted';
    },
  ),
];
