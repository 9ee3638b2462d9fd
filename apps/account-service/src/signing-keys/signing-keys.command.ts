import { formatTimestamp } from '@gpu-observatory/domain-types';
import { OperationError, type Queryable, readSettings } from '@gpu-observatory/service-runtime';
import type { Command } from 'commander';
import { audit } from '../audit/audit.ts';
import { tokenSettings } from '../config/tokens.config.ts';
import { confirm, YES_OPTION } from '../operations/confirmation.ts';
import { JSON_OPTION, print } from '../operations/output.ts';
import { type Operation, withOwnerDatabase } from '../operations/owner-database.ts';
import { Seal } from '../secrets/seal.ts';
import { reEncryptSigningKeys } from './re-encryption.ts';
import { rotateSigningKeys, SIGNING_KEY_PURPOSE, withdrawSigningKey } from './rotation.ts';
import { readSigningKeys } from './signing-keys.queries.ts';

interface Options {
  json?: boolean;
  yes?: boolean;
}

/** `signing-keys list|rotate|withdraw|re-encrypt`. */
export function addSigningKeysCommands(program: Command): void {
  const keys = program.command('signing-keys').description('what access tokens are signed with');

  keys
    .command('list')
    .description('the published keys, and when each signs and retires (OWNER_DATABASE_URL)')
    .option(...JSON_OPTION)
    .action(async (options: Options) => {
      await withOwnerDatabase(async ({ database }) => {
        const rows = (await readSigningKeys(database, new Date())).map((row) => ({
          kid: row.kid,
          published_at: formatTimestamp(row.published_at),
          sign_from: formatTimestamp(row.sign_from),
          retire_at: row.retire_at && formatTimestamp(row.retire_at),
        }));
        const lines = rows.map(({ kid, sign_from, retire_at }) => [
          kid,
          `signs from ${sign_from}`,
          `retires ${retire_at ?? 'never'}`,
        ]);
        print(options, { signing_keys: rows }, lines);
      });
    });

  keys
    .command('rotate')
    .description(
      'publish a new key, which signs once every verifier has read it; no valid token is refused on the way ' +
        '(OWNER_DATABASE_URL, SIGNING_KEY_SECRET)',
    )
    .option(...JSON_OPTION)
    .action(async (options: Options) => {
      await withSeal(async (transaction, seal, actor) => {
        const kid = await rotateSigningKeys(transaction, seal, new Date(), () => true);
        const detail = { kid, cause: 'command' };
        await audit(transaction, { action: 'signing_key_published', actor, detail });
        return () => print(options, { published: kid }, [`published ${kid}`]);
      });
    });

  keys
    .command('withdraw <kid>')
    .description(
      'for a stolen key: refuse every token it signed within 2 s, and sign with another; people’s browsers refresh ' +
        'their tokens (OWNER_DATABASE_URL, SIGNING_KEY_SECRET)',
    )
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action(async (kid: string, options: Options) => {
      await confirm(`Every access token that ${kid} signed will be refused`, options);
      await withSeal(async (transaction, seal, actor) => {
        const heir = await withdrawSigningKey(transaction, seal, new Date(), kid);
        if (heir === null) {
          throw new OperationError(
            `there is no key ${kid} to withdraw; signing-keys list shows those there are`,
          );
        }
        const detail = { kid, heir };
        await audit(transaction, { action: 'signing_key_withdrawn', actor, detail });
        return () =>
          print(options, { withdrawn: kid, signs_now: heir }, [`withdrew ${kid}; ${heir} signs now`]);
      });
    });

  addReEncryptCommand(keys);
}

function addReEncryptCommand(keys: Command): void {
  keys
    .command('re-encrypt')
    .description(
      'seal the keys under the first of two secrets in SIGNING_KEY_SECRET, so that the second may go; running replicas ' +
        'that have both do not notice, and a second time changes nothing (OWNER_DATABASE_URL, SIGNING_KEY_SECRET)',
    )
    .option(...JSON_OPTION)
    .action(async (options: Options) => {
      await withSeal(async (transaction, seal, actor) => {
        const { sealedAnew, unchanged } = await reEncryptSigningKeys(transaction, seal, new Date());
        if (sealedAnew.length > 0) {
          const detail = { kids: sealedAnew };
          await audit(transaction, { action: 'signing_keys_re_encrypted', actor, detail });
        }
        const lines = sealedAnew.map((kid) => `sealed ${kid} under the first secret`);
        return () =>
          print(
            options,
            { sealed_anew: sealedAnew, unchanged },
            lines.length > 0 ? lines : ['nothing to change: every key is sealed under the first secret'],
          );
      });
    });
}

/** Runs a change of the keys in one transaction; says what came of it once that is committed. */
async function withSeal(
  change: (transaction: Queryable, seal: Seal, actor: Operation['actor']) => Promise<() => void>,
): Promise<void> {
  const { SIGNING_KEY_SECRET: secrets } = readSettings(
    { SIGNING_KEY_SECRET: tokenSettings.SIGNING_KEY_SECRET },
    process.env,
  );
  await withOwnerDatabase(async ({ database, actor }) => {
    const seal = new Seal(secrets, SIGNING_KEY_PURPOSE);
    const say = await database.transaction(async (transaction) => {
      await refuseForeignSecret(transaction, seal);
      return change(transaction, seal, actor);
    });
    say();
  });
}

/** A key sealed under another secret than the running service's would stop the service from signing. */
async function refuseForeignSecret(transaction: Queryable, seal: Seal): Promise<void> {
  const keys = await readSigningKeys(transaction, new Date());
  if (keys.length === 0 || keys.some((key) => seal.opens(key.sealed_private_key))) return;
  throw new OperationError('SIGNING_KEY_SECRET is not the one that the stored keys are sealed under');
}
