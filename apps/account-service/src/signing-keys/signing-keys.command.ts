import { formatTimestamp } from '@gpu-observatory/domain-types';
import { readSettings } from '@gpu-observatory/service-runtime';
import type { Command } from 'commander';
import { audit } from '../audit/audit.ts';
import { tokenSettings } from '../config/tokens.config.ts';
import { withOwnerDatabase } from '../operations/owner-database.ts';
import { Seal } from '../secrets/seal.ts';
import { rotateSigningKeys, SIGNING_KEY_PURPOSE } from './rotation.ts';
import { readSigningKeys } from './signing-keys.queries.ts';

/** `signing-keys list` and `signing-keys rotate`. */
export function addSigningKeysCommands(program: Command): void {
  const keys = program.command('signing-keys').description('what access tokens are signed with');

  keys
    .command('list')
    .description('the published keys, and when each signs and retires (OWNER_DATABASE_URL)')
    .option('--json', 'as JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withOwnerDatabase(async ({ database }) => {
        const rows = (await readSigningKeys(database, new Date())).map((row) => ({
          kid: row.kid,
          published_at: formatTimestamp(row.published_at),
          sign_from: formatTimestamp(row.sign_from),
          retire_at: row.retire_at && formatTimestamp(row.retire_at),
        }));
        if (json) return console.log(JSON.stringify({ signing_keys: rows }, null, 2));
        for (const row of rows)
          console.log(`${row.kid}\tsigns from ${row.sign_from}\tretires ${row.retire_at ?? 'never'}`);
      });
    });

  keys
    .command('rotate')
    .description(
      'publish a new key, which signs once every verifier has read it; no valid token is refused on the way ' +
        '(OWNER_DATABASE_URL, SIGNING_KEY_SECRET)',
    )
    .action(async () => {
      const { SIGNING_KEY_SECRET: secret } = readSettings(
        { SIGNING_KEY_SECRET: tokenSettings.SIGNING_KEY_SECRET },
        process.env,
      );
      await withOwnerDatabase(async ({ database, actor }) => {
        const kid = await database.transaction(async (transaction) => {
          const made = await rotateSigningKeys(
            transaction,
            new Seal(secret, SIGNING_KEY_PURPOSE),
            new Date(),
            () => true,
          );
          await audit(transaction, {
            action: 'signing_key_published',
            actor,
            detail: { kid: made, cause: 'command' },
          });
          return made;
        });
        console.log(`published ${kid}`);
      });
    });
}
