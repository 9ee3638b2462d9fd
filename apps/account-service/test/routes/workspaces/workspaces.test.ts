import { ServiceWithKeys } from '../../support/service-with-keys.ts';

let fixture: ServiceWithKeys;

beforeAll(async () => {
  fixture = await ServiceWithKeys.start();
  await fixture.create(fixture.ada, 1);
});

afterAll(() => fixture.stop());

const listOf = async (path: string, token: string) => {
  const response = await fixture.service.get(`/api/v1/${path}/`, token);
  return (await response.json()) as Record<string, { name: string; role: string }[]>;
};

test('lists the workspaces of the caller with the role in each, all for an administrator', async () => {
  const rolesOf = async (token: string) =>
    (await listOf('workspaces', token))['workspaces']?.map(({ name, role }) => [name, role]);
  expect(await rolesOf(fixture.ada)).toEqual([
    ['Research', 'owner'],
    ['Production', 'owner'],
  ]);
  expect(await rolesOf(fixture.alan)).toEqual([['Research', 'member']]);
  expect(await rolesOf(fixture.vera)).toEqual([['Research', 'viewer']]);
});

test.each([
  ['a disabled user', 'account.users', 'disabled_at = now()', 'disabled_at = NULL'],
  ['a user of an inactive customer', 'account.customers', 'active = false', 'active = true'],
])(
  '%s has no workspaces and no keys, even before the token is revoked',
  async (_, table, disable, enable) => {
    const { vera, service } = fixture;
    const counts = async () => [
      (await listOf('workspaces', vera))['workspaces']?.length,
      (await listOf('keys', vera))['api_keys']?.length,
    ];
    expect(await counts()).toEqual([1, 1]);
    await service.database.asOwner.query({ text: `UPDATE ${table} SET ${disable}` });
    expect(await counts()).toEqual([0, 0]);
    await service.database.asOwner.query({ text: `UPDATE ${table} SET ${enable}` });
    expect(await counts()).toEqual([1, 1]);
  },
);
