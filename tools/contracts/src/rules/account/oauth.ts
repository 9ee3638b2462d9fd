import type { HttpResponse } from '../../deployment/http-exchange.ts';
import { errorWith, expectSame, expectStatus, expectThat, Skipped } from '../expectations.ts';
import type { Rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { API, NO_SUCH_ID } from './requests.ts';

const TOKEN = '/oauth/token';
const expectOAuthError = errorWith('error', 'error_description');

interface Key {
  id: number;
  key: string;
}

function requestToken(target: Target, fields: Record<string, string>): Promise<HttpResponse> {
  return target.send('POST', TOKEN, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
}

const exchange = (target: Target, { id, key }: Key) =>
  requestToken(target, { grant_type: 'client_credentials', client_id: String(id), client_secret: key });

export const oauth: Rule[] = [
  {
    name: 'authorization-server-metadata',
    source: 'RFC 8414, section 3',
    async check(target) {
      const metadata = expectStatus<Record<string, unknown>>(
        await target.get('/.well-known/oauth-authorization-server'),
        200,
      );
      expectThat(String(metadata['token_endpoint']).endsWith(TOKEN), 'token_endpoint is another path');
      expectSame(metadata['grant_types_supported'], ['client_credentials'], 'the grant types');
      return String(metadata['token_endpoint']);
    },
  },
  {
    name: 'invalid-clients-rejected',
    source: 'RFC 6749, section 5.2',
    async check(target) {
      const unknown = { id: NO_SUCH_ID, key: '00000000-0000-4000-8000-000000000000' };
      const rejected = await exchange(target, unknown);
      expectOAuthError(rejected, 401, 'invalid_client', 'an unknown key');
      expectThat(/^Basic /.test(rejected.headers['www-authenticate'] ?? ''), 'no Basic challenge');
      const anonymous = await requestToken(target, { grant_type: 'client_credentials' });
      expectOAuthError(anonymous, 401, 'invalid_client', 'no credentials');
      const json = await target.post(TOKEN, { grant_type: 'client_credentials' });
      expectOAuthError(json, 415, 'invalid_request', 'JSON');
      return 'unknown 401, anonymous 401, JSON 415';
    },
  },
  {
    name: 'client-credentials-lifecycle',
    source: 'docs/account-service.md#access-tokens-for-programs',
    async check(target) {
      target.requireWrite();
      const bearer = target.bearer();
      const { workspaces } = expectStatus<{ workspaces: { id: number; role: string }[] }>(
        await target.read(`${API}/workspaces/`),
        200,
      );
      const workspace = workspaces.find(({ role }) => role === 'owner');
      if (!workspace) throw new Skipped('the caller owns no workspace');
      const created = await target.post(
        `${API}/keys/`,
        { name: 'contract check', workspace_id: workspace.id },
        bearer,
      );
      const { api_key: key } = expectStatus<{ api_key: Key }>(created, 201);
      const scopes = (names: string[]) =>
        target.send('PUT', `${API}/keys/${key.id}/scopes`, {
          headers: { 'content-type': 'application/json', ...bearer },
          body: JSON.stringify({ scopes: names }),
        });
      try {
        expectOAuthError(await exchange(target, key), 400, 'invalid_scope', 'a key that may not read');
        expectStatus(await scopes(['telemetry:write', 'fleet:read']), 200);
        const listed = await target.read(`${API}/keys/${key.id}/scopes`);
        expectSame(
          expectStatus(listed, 200),
          { scopes: ['telemetry:write', 'fleet:read'], all_workspaces: false },
          'the scopes',
        );
        const token = expectStatus<{ access_token: string; expires_in: number }>(
          await exchange(target, key),
          200,
        );
        expectThat(token.expires_in <= 900, `the token lives ${token.expires_in} s`);
        const me = await target.get(`${API}/me`, { authorization: `Bearer ${token.access_token}` });
        expectThat(me.status === 401, `the account service answered ${me.status} to the token of a key`);
        expectStatus(await scopes(['telemetry:write']), 200);
        expectOAuthError(await exchange(target, key), 400, 'invalid_scope', 'a key that may no longer read');
      } finally {
        await target.send('DELETE', `${API}/keys/${key.id}`, { headers: bearer });
      }
      expectOAuthError(await exchange(target, key), 401, 'invalid_client', 'a deleted key');
      return 'granted, exchanged, rejected by the account service, revoked, deleted';
    },
  },
];
