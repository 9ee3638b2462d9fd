import { Seal } from '../../src/secrets/seal.ts';
import {
  rotateSigningKeys,
  SIGNING_KEY_PURPOSE,
  withdrawSigningKey,
} from '../../src/signing-keys/rotation.ts';
import { readSigningKeys } from '../../src/signing-keys/signing-keys.queries.ts';
import { type AccountDatabase, createAccountDatabase } from '../support/account-database.ts';

/** Who signs after a key was withdrawn, at fixed times: in minutes after the first key was made. */
const START = Date.parse('2026-05-12T09:30:00Z');
const LEAD = 10;
/** The longest life of a token, and ten minutes. */
const OVERLAP = 6 * 60 + 10;

const seal = new Seal(['what-encrypts-the-signing-keys-of-the-tests'], SIGNING_KEY_PURPOSE);
let database: AccountDatabase;

beforeEach(async () => {
  database = await createAccountDatabase();
});

afterEach(() => database.drop());

const minute = (number: number) => new Date(START + number * 60_000);
const rotate = (at: number) =>
  database.asOwner.transaction(async (transaction) => {
    const kid = await rotateSigningKeys(transaction, seal, minute(at), () => true);
    return kid as string;
  });
const withdraw = (kid: string, at: number) =>
  database.asOwner.transaction((transaction) => withdrawSigningKey(transaction, seal, minute(at), kid));
const published = async (at: number) =>
  (await readSigningKeys(database.asOwner, minute(at))).map(
    ({ kid, sign_from: signFrom, retire_at: retireAt }) => [
      kid,
      (signFrom.getTime() - START) / 60_000,
      retireAt && (retireAt.getTime() - START) / 60_000,
    ],
  );

test('a successor that does not sign yet leaves the key that signs as if it had never been', async () => {
  const first = await rotate(0);
  const second = await rotate(100);
  expect(await withdraw(second, 101)).toBe(first);
  expect(await published(101)).toEqual([[first, 0, null]]);
});

test('a key that signs is followed by its predecessor, which every verifier knows', async () => {
  const first = await rotate(0);
  const second = await rotate(100);
  expect(await withdraw(second, 200)).toBe(first);
  expect(await published(200)).toEqual([[first, 0, null]]);
});

test('the keys that remain stay until no token of theirs can live', async () => {
  const first = await rotate(0);
  const second = await rotate(100);
  const third = await rotate(300);
  expect(await withdraw(second, 301)).toBe(first);
  expect(await published(301)).toEqual([
    [third, 300 + LEAD, null],
    [first, 0, 300 + LEAD + OVERLAP],
  ]);
});

test('the last of several successors leaves the others to sign as planned', async () => {
  const first = await rotate(0);
  const second = await rotate(100);
  const third = await rotate(105);
  expect(await withdraw(third, 106)).toBe(first);
  expect(await published(106)).toEqual([
    [second, 100 + LEAD, null],
    [first, 0, 100 + LEAD + OVERLAP],
  ]);
});

test('without a key that may sign, the one that verifiers have known for longest signs before its time', async () => {
  const first = await rotate(0);
  const second = await rotate(100);
  const third = await rotate(105);
  expect(await withdraw(first, 106)).toBe(second);
  expect(await published(106)).toEqual([
    [third, 105 + LEAD, null],
    [second, 106, 105 + LEAD + OVERLAP],
  ]);
});

test('without any key a new one signs at once, also where one is left that no secret opens', async () => {
  const first = await rotate(0);
  const planted = await rotate(1);
  await database.asOwner.query({
    text: `UPDATE account.signing_keys SET sealed_private_key = '\\x00', sign_from = $2 WHERE kid = $1`,
    values: [planted, minute(0)],
  });
  const heir = await withdraw(first, 106);
  expect(await published(106)).toEqual([
    [heir, 106, null],
    [planted, 0, 106 + OVERLAP],
  ]);
});
