import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const argon2Async = promisify(argon2);

/** OWASP's password storage recommendation for argon2id: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** @returns the hash in the PHC string format, `$argon2id$v=19$m=…,t=…,p=…$salt$tag` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await tagOf(password, salt, { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES });
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${base64(salt)}$${base64(tag)}`;
}

/** The hash of a password that nobody knows: checking against it takes as long as against anybody's. */
const NOBODYS = hashPassword(randomBytes(32).toString('base64'));

/** @param hash undefined where there is none; the answer is then false, after the same time */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const stored = hash ?? (await NOBODYS);
  const [, memory, passes, parallelism, salt = '', tag = ''] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(stored) ?? [];
  const expected = Buffer.from(tag, 'base64');
  const given = await tagOf(password, Buffer.from(salt, 'base64'), {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return expected.length === given.length && timingSafeEqual(expected, given) && hash !== undefined;
}

/** One spelling of a text has several forms in Unicode; a keyboard decides which one it sends. */
function tagOf(
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
