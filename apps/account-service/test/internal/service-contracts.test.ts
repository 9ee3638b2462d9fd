import { randomUUID } from 'node:crypto';
import { ServiceContract } from '@gpu-observatory/contracts';
import { INTERNAL_CREDENTIAL, useAccountService } from '../support/running-account-service.ts';

/** Checks the provider side of the contracts between services; the tests of the consumers use the same files. */
const service = useAccountService();
let token: string;

beforeAll(async () => {
  token = (await service.session('ada@acme.example')).access_token;
});

describe('introspection of API keys', () => {
  const contract = new ServiceContract('introspection');
  const introspect = (key: string, credential = INTERNAL_CREDENTIAL) =>
    fetch(`${service.internalUrl}${contract.request.path}`, {
      method: contract.request.method,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    });

  async function createKey(): Promise<{ id: number; key: string }> {
    const response = await fetch(`${service.url}/api/v1/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'rack', workspace_id: 2 }),
    });
    return ((await response.json()) as { api_key: { id: number; key: string } }).api_key;
  }

  const states: Record<string, () => Promise<Response>> = {
    'a key with the scope contact:write': async () => {
      const { id, key } = await createKey();
      await service.run('keys', 'grant', String(id), 'contact:write');
      return introspect(key);
    },
    'a key without additional scopes': async () => introspect((await createKey()).key),
    'a missing or invalid key': () => introspect('00000000-0000-4000-8000-000000000000'),
    'a wrong credential': () => introspect('00000000-0000-4000-8000-000000000000', 'another'),
  };

  it.each(contract.cases)('matches the contract for %s', async (which) => {
    expect(await contract.responseViolations(which, await states[which]!())).toEqual([]);
  });
});

describe('the revocation feed', () => {
  const contract = new ServiceContract('revocation-feed');
  const feed = (query: string, credential = INTERNAL_CREDENTIAL) =>
    fetch(`${service.internalUrl}${contract.request.path}${query}`, {
      headers: { authorization: `Bearer ${credential}` },
    });

  it('matches the contract for every kind of revocation, with and without since', async () => {
    for (const kind of ['session', 'user', 'customer', 'signing_key']) {
      await service.database.asOwner.query({
        text: `INSERT INTO account.revocations (kind, subject_id) VALUES ($1, $2)`,
        values: [kind, kind === 'session' ? randomUUID() : '7'],
      });
    }
    const since = `since=${new Date(Date.now() - 10_000).toISOString()}`;
    for (const query of ['', `?${since}`, '?format=compact', `?format=compact&${since}`]) {
      const response = await feed(query);
      const { revocations } = (await response.clone().json()) as { revocations: unknown[] };
      expect(revocations.length).toBeGreaterThanOrEqual(query.includes('compact') ? 3 : 4);
      expect(await contract.responseViolations('the revocations', response)).toEqual([]);
    }
  });

  it('matches the contract for another credential', async () => {
    expect(await contract.responseViolations('a wrong credential', await feed('', 'another'))).toEqual([]);
  });
});

test('the signing keys match the contract', async () => {
  const contract = new ServiceContract('signing-keys');
  const response = await service.get(contract.request.path);
  expect(await contract.responseViolations('the public keys', response)).toEqual([]);
});
