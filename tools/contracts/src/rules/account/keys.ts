import { nameOf } from '../../deployment/answer.ts';
import { expectSame, expectThat, NotSeen, type Rule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { API, expectFailure, expectStatus, NO_SUCH_ID, post } from './account-words.ts';

const KEY_FIELDS = [
  'created_at',
  'customer_id',
  'description',
  'expires_at',
  'id',
  'is_active',
  'key',
  'last_used_at',
  'name',
  'updated_at',
  'workspace_id',
  'workspace_name',
];
/** Version 4, plain (contract 2.9; decisions, section 3, Keys). */
const SECRET = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface Key {
  id: number;
  key: string;
  workspace_id: number;
  is_active: boolean;
  expires_at: string;
  last_used_at: string;
}
interface Workspace {
  id: number;
  role: string;
}

async function workspacesOf(subject: Subject): Promise<Workspace[]> {
  const answer = await subject.read(`${API}/workspaces/`);
  return expectStatus<{ workspaces: Workspace[] }>(answer, 200).workspaces;
}

async function keysOf(subject: Subject): Promise<Key[]> {
  return expectStatus<{ api_keys: Key[] }>(await subject.read(`${API}/keys/`), 200).api_keys;
}

export const keys: Rule<Subject>[] = [
  {
    name: 'me-is-the-caller',
    source: 'contract 2.9, 4.5',
    async hold(subject) {
      const { user } = expectStatus<{ user: object }>(await subject.read(`${API}/me`), 200);
      expectSame(Object.keys(user).sort(), ['avatar', 'email', 'id', 'name'], 'fields of the user');
      return 'four fields';
    },
  },
  {
    name: 'workspaces-of-the-caller',
    source: 'contract 4.5; decisions 3',
    async hold(subject) {
      const workspaces = await workspacesOf(subject);
      const fields = ['created_at', 'customer_id', 'customer_name', 'id', 'name', 'role'];
      for (const workspace of workspaces) {
        expectSame(Object.keys(workspace).sort(), fields, `fields of workspace ${workspace.id}`);
        expectThat(['owner', 'member', 'viewer'].includes(workspace.role), `role ${workspace.role}`);
      }
      return `${workspaces.length} workspaces`;
    },
  },
  {
    name: 'listed-keys-are-masked',
    source: 'contract 2.9; decisions 3, Keys',
    async hold(subject) {
      const listed = await keysOf(subject);
      for (const key of listed) {
        expectSame(Object.keys(key).sort(), KEY_FIELDS, `fields of key ${key.id}`);
        expectThat(!SECRET.test(key.key) && key.key.length > 4, `key ${key.id} is listed with its secret`);
      }
      return `${listed.length} keys`;
    },
  },
  {
    name: 'bad-key-requests-refused',
    source: 'decisions 3, Keys, Status codes',
    async hold(subject) {
      const bearer = subject.bearer();
      const name = 'contract';
      for (const [why, body] of [
        ['no name', { workspace_id: 1 }],
        ['an empty name', { name: '', workspace_id: 1 }],
        ['a name of 101', { name: 'x'.repeat(101), workspace_id: 1 }],
        ['no workspace', { name }],
        ['a workspace of words', { name, workspace_id: 'one' }],
        ['an unknown field', { name, workspace_id: NO_SUCH_ID, scope: 'all' }],
        ['a time in the past', { name, workspace_id: NO_SUCH_ID, expires_at: '2001-01-01T00:00:00Z' }],
      ] as const)
        expectFailure(await post(subject, '/keys/', body, bearer), 400, 'Invalid Request', why);
      const foreign = await post(subject, '/keys/', { name, workspace_id: NO_SUCH_ID }, bearer);
      expectFailure(foreign, 404, 'Not Found', 'an absent workspace');
      for (const [method, path] of [
        ['POST', `${API}/keys/${NO_SUCH_ID}/rotate`],
        ['DELETE', `${API}/keys/${NO_SUCH_ID}`],
      ] as const)
        expectFailure(
          await subject.send(method, path, { headers: bearer }),
          404,
          'Not Found',
          'an absent key',
        );
      return 'malformed 400, absent 404';
    },
  },
  {
    name: 'key-lives-and-dies',
    source: 'contract 3, 4.5',
    async hold(subject) {
      subject.mayWrite();
      const bearer = subject.bearer();
      const workspace = (await workspacesOf(subject)).find(({ role }) => role !== 'viewer');
      if (!workspace) throw new NotSeen('the caller may write in no workspace');
      const created = await post(
        subject,
        '/keys/',
        { name: 'contract check', description: 'deleted at once', workspace_id: workspace.id },
        bearer,
      );
      const { api_key: key } = expectStatus<{ api_key: Key; message: string }>(created, 201);
      try {
        expectSame(Object.keys(key).sort(), KEY_FIELDS, 'fields of the new key');
        expectThat(SECRET.test(key.key), 'the secret is no plain UUID of version 4');
        expectSame([key.is_active, key.expires_at, key.last_used_at], [true, '', ''], 'a new key');
        const listed = (await keysOf(subject)).find(({ id }) => id === key.id);
        expectThat(listed?.key.slice(-4) === key.key.slice(-4), 'it is not listed by its last four');
        const { api_key: rotated } = expectStatus<{ api_key: Key }>(
          await subject.send('POST', `${API}/keys/${key.id}/rotate`, { headers: bearer }),
          200,
        );
        expectSame(rotated.id, key.id, 'the id after rotation');
        expectThat(SECRET.test(rotated.key) && rotated.key !== key.key, 'rotation made no new secret');
      } finally {
        const deleted = await subject.send('DELETE', `${API}/keys/${key.id}`, { headers: bearer });
        expectThat(deleted.status === 200, `${nameOf(deleted)}: key ${key.id} is left over`);
      }
      expectThat(!(await keysOf(subject)).some(({ id }) => id === key.id), 'a deleted key is listed');
      const again = await subject.send('DELETE', `${API}/keys/${key.id}`, { headers: bearer });
      expectFailure(again, 404, 'Not Found', 'deleting twice');
      return 'created 201, masked, rotated with its id, deleted';
    },
  },
];
