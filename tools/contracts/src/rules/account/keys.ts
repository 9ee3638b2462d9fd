import { expectSame, expectStatus, expectThat, Skipped } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { API, expectError, NO_SUCH_ID, type Schemas } from './requests.ts';
import { type Key, withKey } from './with-key.ts';

/** A secret of which only the last four characters are visible. */
const MASKED = /^\*{8}-\*{4}-\*{4}-\*{4}-\*{8}[0-9a-f]{4}$/;
/** A UUID of version 4 (RFC 9562, section 5.4). */
const SECRET = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function keysOf(target: Target): Promise<Key[]> {
  return expectStatus<Schemas['ApiKeyListResponse']>(await target.read(`${API}/keys/`), 200).api_keys;
}

/** @param secret a key with its complete secret */
async function expectListedMasked(target: Target, secret: Key): Promise<void> {
  const listed = (await keysOf(target)).find(({ id }) => id === secret.id);
  const key = listed?.key ?? '';
  expectThat(MASKED.test(key), `key ${secret.id} is not masked except its last four characters`);
  expectSame(key.slice(-4), secret.key.slice(-4), 'the visible characters');
}

export const keys: Rule[] = [
  rule('listed-keys-are-masked', 'docs/account-service.md#api-keys', async (target) => {
    const listed = await keysOf(target);
    if (listed.length === 0) throw new Skipped('needs an API key');
    for (const { id, key } of listed) {
      expectThat(MASKED.test(key), `key ${id} is not masked except its last four characters`);
    }
    return `${listed.length} keys`;
  }),
  rule('invalid-key-requests-rejected', 'docs/account-service.md#api-keys', async (target) => {
    const bearer = target.bearer();
    const name = 'contract';
    for (const [why, body] of [
      ['no name', { workspace_id: 1 }],
      ['an empty name', { name: '', workspace_id: 1 }],
      ['a name of 101 characters', { name: 'x'.repeat(101), workspace_id: 1 }],
      ['no workspace', { name }],
      ['a workspace that is not an integer', { name, workspace_id: 'one' }],
      ['an unknown field', { name, workspace_id: NO_SUCH_ID, scope: 'all' }],
      ['an expiry in the past', { name, workspace_id: NO_SUCH_ID, expires_at: '2001-01-01T00:00:00Z' }],
    ] as const)
      expectError(await target.post(`${API}/keys/`, body, bearer), 400, 'Invalid Request', why);
    const unknown = await target.post(`${API}/keys/`, { name, workspace_id: NO_SUCH_ID }, bearer);
    expectError(unknown, 404, 'Not Found', 'an unknown workspace');
    for (const [method, path] of [
      ['POST', `${API}/keys/${NO_SUCH_ID}/rotate`],
      ['DELETE', `${API}/keys/${NO_SUCH_ID}`],
      ['GET', `${API}/keys/${NO_SUCH_ID}/scopes`],
    ] as const)
      expectError(await target.send(method, path, { headers: bearer }), 404, 'Not Found', 'an unknown key');
    return 'malformed 400, unknown 404';
  }),
  rule('api-key-lifecycle', 'docs/account-service.md#api-keys', async (target) => {
    const bearer = target.bearer();
    const key = await withKey(target, ['owner', 'member'], async (created) => {
      expectThat(SECRET.test(created.key), 'the secret is not a UUID of version 4');
      expectSame([created.is_active, created.expires_at, created.last_used_at], [true, '', ''], 'a new key');
      await expectListedMasked(target, created);
      const { api_key: rotated } = expectStatus<Schemas['ApiKeyWithMessage']>(
        await target.send('POST', `${API}/keys/${created.id}/rotate`, { headers: bearer }),
        200,
      );
      expectSame(rotated.id, created.id, 'the id after rotation');
      expectThat(
        SECRET.test(rotated.key) && rotated.key !== created.key,
        'the rotation returned no new secret',
      );
      await expectListedMasked(target, rotated);
    });
    expectThat(!(await keysOf(target)).some(({ id }) => id === key.id), 'a deleted key is listed');
    const again = await target.send('DELETE', `${API}/keys/${key.id}`, { headers: bearer });
    expectError(again, 404, 'Not Found', 'deleting twice');
    return 'created 201, masked, rotated with its id, deleted';
  }),
];
