import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2Async = promisify(argon2);

/**
 * Argon2id parameters that OWASP recommends: 19 MiB, two passes, one lane.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
 */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** Returns the hash in PHC string format, `$argon2id$v=19$m=…,t=…,p=…$salt$tag`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await computeTag(password, salt, { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(tag)}`;
}

/** Hash of a random password. Checking against it takes as long as checking against a real one. */
const DUMMY_HASH = hashPassword(randomBytes(32).toString('base64'));

/** Compares a password with a hash. Without a hash, returns false after the same time. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const stored = hash ?? (await DUMMY_HASH);
  const [, memory, passes, parallelism, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored) ?? [];
  const expected = Buffer.from(tag, 'base64');
  const actual = await computeTag(password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return expected.length === actual.length && timingSafeEqual(expected, actual) && hash !== undefined;
}

/** Normalizes to NFKC, because keyboards produce different Unicode forms of the same text. */
function computeTag(
  password: string,
  nonce: Buffer,
  cost: { memory: number; passes: number; parallelism: number },
): Promise<Buffer> {
  return argon2Async('argon2id', {
    message: password.normalize('NFKC'),
    nonce,
    tagLength: TAG_BYTES,
    ...cost,
  });
}
