import { OperationError, type Queryable, readSettings } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { audit } from '../audit/audit.ts';
import { tokenSettings } from '../config/tokens.config.ts';
import { readDatabaseTime } from '../clock/clock.ts';
import { confirm } from '../operations/confirmation.ts';
import { print, printList } from '../operations/output.ts';
import { type Operation, asOperator } from '../operations/as-operator.ts';
import { Encryptor } from '../secrets/encryptor.ts';
import { reEncryptSigningKeys } from './re-encryption.ts';
import { rotateSigningKeys, SIGNING_KEY_PURPOSE, withdrawSigningKey } from './rotation.ts';
import { readSigningKeys } from './signing-keys.queries.ts';

/** `signing-keys list|rotate|withdraw|re-encrypt`. */
export function addSigningKeysCommands(program: Command): void {
  const keys = program.command('signing-keys').description('keys that sign access tokens');

  keys
    .command('list')
    .description('list the published keys with their signing and retirement times (OWNER_DATABASE_URL)')
    .action(async () => {
      await asOperator(async ({ database }) => {
        const keys = await readSigningKeys(database, await readDatabaseTime(database));
        const rows = keys.map(({ kid, published_at, sign_from, retire_at }) => {
          return { kid, published_at, sign_from, retire_at };
        });
        printList('signing_keys', rows);
      });
    });

  keys
    .command('rotate')
    .description(
      'publish a new key, which signs once every verifier has read it; issued tokens stay valid ' +
        '(OWNER_DATABASE_URL, SIGNING_KEY_SECRET)',
    )
    .action(async () => {
      const published = await changeKeys(async ({ transaction, encryptor, now, actor }) => {
        const kid = await rotateSigningKeys(transaction, encryptor, now, () => true);
        const detail = { kid, cause: 'command' };
        await audit(transaction, { action: 'signing_key_published', actor, detail });
        return kid;
      });
      print({ published }, [`published ${published}`]);
    });

  keys
    .command('withdraw <kid>')
    .description(
      'withdraw a stolen key: all of its tokens become invalid within 2 s, a replacement key signs, and browsers ' +
        'refresh their tokens (OWNER_DATABASE_URL, SIGNING_KEY_SECRET)',
    )
    .action(async (kid: string) => {
      await confirm(`Every access token signed by ${kid} will become invalid`);
      const replacement = await changeKeys(async ({ transaction, encryptor, now, actor }) => {
        const successor = await withdrawSigningKey(transaction, encryptor, now, kid);
        if (successor === null) {
          throw new OperationError(
            `signing key ${kid} does not exist or is already withdrawn; run "signing-keys list"`,
          );
        }
        const detail = { kid, replacement: successor };
        await audit(transaction, { action: 'signing_key_withdrawn', actor, detail });
        return successor;
      });
      print({ withdrawn: kid, replacement }, [`withdrew ${kid}; ${replacement} signs from now on`]);
    });

  addReEncryptCommand(keys);
}

function addReEncryptCommand(keys: Command): void {
  keys
    .command('re-encrypt')
    .description(
      'encrypt the keys with the first of two secrets in SIGNING_KEY_SECRET, so that the second can be removed; does ' +
        'not affect running replicas, and is idempotent (OWNER_DATABASE_URL, SIGNING_KEY_SECRET)',
    )
    .action(async () => {
      const { reEncrypted, unchanged } = await changeKeys(async ({ transaction, encryptor, now, actor }) => {
        const result = await reEncryptSigningKeys(transaction, encryptor, now);
        const detail = { kids: result.reEncrypted };
        if (detail.kids.length > 0)
          await audit(transaction, { action: 'signing_keys_re_encrypted', actor, detail });
        return result;
      });
      const lines = reEncrypted.map((kid) => `encrypted ${kid} with the first secret`);
      print(
        { re_encrypted: reEncrypted, unchanged },
        lines.length > 0 ? lines : ['nothing to change: the first secret encrypts every key'],
      );
    });
}

/** Runs a change of the keys in one transaction. */
async function changeKeys<Result>(
  change: (work: {
    transaction: Queryable;
    encryptor: Encryptor;
    now: Date;
    actor: Operation['actor'];
  }) => Promise<Result>,
): Promise<Result> {
  const { SIGNING_KEY_SECRET } = tokenSettings;
  const { SIGNING_KEY_SECRET: secrets } = readSettings({ SIGNING_KEY_SECRET }, process.env);
  const encryptor = new Encryptor(secrets, SIGNING_KEY_PURPOSE);
  return asOperator(({ database, actor }) =>
    database.transaction(async (transaction) => {
      const now = await readDatabaseTime(transaction);
      await requireMatchingSecret(transaction, encryptor, now);
      return change({ transaction, encryptor, now, actor });
    }),
  );
}

/** The service could not decrypt a key that was encrypted with another secret, and would stop signing. */
async function requireMatchingSecret(transaction: Queryable, encryptor: Encryptor, now: Date): Promise<void> {
  const keys = await readSigningKeys(transaction, now);
  if (keys.length === 0 || keys.some((key) => encryptor.canDecrypt(key.encrypted_private_key))) return;
  throw new OperationError(
    'SIGNING_KEY_SECRET decrypts none of the stored signing keys: set it to the value that account-service uses',
  );
}
