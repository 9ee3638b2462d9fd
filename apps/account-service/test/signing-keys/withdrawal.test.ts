import { MINUTE_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { Encryptor } from '../../src/secrets/encryptor.ts';
import {
  PUBLICATION_LEAD_SECONDS,
  RETIREMENT_DELAY_SECONDS,
  rotateSigningKeys,
  SIGNING_KEY_PURPOSE,
  withdrawSigningKey,
} from '../../src/signing-keys/rotation.ts';
import { ACCESS_TOKEN_TTL_SECONDS } from '../../src/tokens/lifetimes.ts';
import { readSigningKeys } from '../../src/signing-keys/signing-keys.queries.ts';
import { type AccountDatabase, createAccountDatabase } from '../support/account-database.ts';

/** Times are in minutes after the creation of the first key. */
const START = Date.parse('2026-05-12T09:30:00Z');
const LEAD = (PUBLICATION_LEAD_SECONDS * SECOND_MS) / MINUTE_MS;
const RETIREMENT_DELAY = (RETIREMENT_DELAY_SECONDS * SECOND_MS) / MINUTE_MS;

const encryptor = new Encryptor(['an-encryption-secret-of-32-characters'], SIGNING_KEY_PURPOSE);
let database: AccountDatabase;

beforeEach(async () => {
  database = await createAccountDatabase();
});

afterEach(() => database.drop());

const minute = (number: number) => new Date(START + number * MINUTE_MS);
const rotate = (at: number) =>
  database.asOwner.transaction(async (transaction) => {
    const kid = await rotateSigningKeys(transaction, encryptor, minute(at), () => true);
    return kid as string;
  });
const withdraw = (kid: string, at: number) =>
  database.asOwner.transaction((transaction) => withdrawSigningKey(transaction, encryptor, minute(at), kid));
const published = async (at: number) =>
  (await readSigningKeys(database.asOwner, minute(at))).map(
    ({ kid, sign_from: signFrom, retire_at: retireAt }) => [
      kid,
      (signFrom.getTime() - START) / MINUTE_MS,
      retireAt && (retireAt.getTime() - START) / MINUTE_MS,
    ],
  );

test('a key stays published until every token it signed has expired', async () => {
  const first = await rotate(0);
  const second = await rotate(100);
  const lastExpiry = 100 + LEAD + (ACCESS_TOKEN_TTL_SECONDS * SECOND_MS) / MINUTE_MS;
  expect((await published(lastExpiry)).map(([kid]) => kid)).toEqual([second, first]);
  expect((await published(100 + LEAD + RETIREMENT_DELAY)).map(([kid]) => kid)).toEqual([second]);
});

test('withdrawing a successor that does not sign yet keeps the current key signing', async () => {
  const first = await rotate(0);
  const second = await rotate(100);
  expect(await withdraw(second, 101)).toBe(first);
  expect(await published(101)).toEqual([[first, 0, null]]);
});

test('after the signing key its predecessor signs, which every verifier has read', async () => {
  const first = await rotate(0);
  const second = await rotate(100);
  expect(await withdraw(second, 200)).toBe(first);
  expect(await published(200)).toEqual([[first, 0, null]]);
});

test('the remaining keys stay published until their tokens have expired', async () => {
  const first = await rotate(0);
  const second = await rotate(100);
  const third = await rotate(300);
  expect(await withdraw(second, 301)).toBe(first);
  expect(await published(301)).toEqual([
    [third, 300 + LEAD, null],
    [first, 0, 300 + LEAD + RETIREMENT_DELAY],
  ]);
});

test('withdrawing the last of several successors keeps the schedule of the others', async () => {
  const first = await rotate(0);
  const second = await rotate(100);
  const third = await rotate(105);
  expect(await withdraw(third, 106)).toBe(first);
  expect(await published(106)).toEqual([
    [second, 100 + LEAD, null],
    [first, 0, 100 + LEAD + RETIREMENT_DELAY],
  ]);
});

test('without a signing key, the key published first signs early', async () => {
  const first = await rotate(0);
  const second = await rotate(100);
  const third = await rotate(105);
  expect(await withdraw(first, 106)).toBe(second);
  expect(await published(106)).toEqual([
    [third, 105 + LEAD, null],
    [second, 106, 105 + LEAD + RETIREMENT_DELAY],
  ]);
});

test('without a usable key, a new key signs immediately', async () => {
  const first = await rotate(0);
  const planted = await rotate(1);
  await database.asOwner.query({
    text: `UPDATE account.signing_keys SET encrypted_private_key = '\\x00', sign_from = $2 WHERE kid = $1`,
    values: [planted, minute(0)],
  });
  const replacement = await withdraw(first, 106);
  expect(await published(106)).toEqual([
    [replacement, 106, null],
    [planted, 0, 106 + RETIREMENT_DELAY],
  ]);
});
