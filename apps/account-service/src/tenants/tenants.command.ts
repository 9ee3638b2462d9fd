import type { Command } from 'commander';
import { withOwnerDatabase } from '../operations/owner-database.ts';
import { applyChanges } from './apply-changes.ts';
import { describeChange } from './describe-change.ts';
import { difference } from './difference.ts';
import { readTenantsFile } from './tenants-file.ts';
import { lockTenants, readTenants } from './tenants.queries.ts';

/** However large the file, an apply is one transaction. */
const APPLY_TIMEOUT_MS = 60_000;

interface ApplyOptions {
  file: string;
  dryRun?: boolean;
  json?: boolean;
}

/** `tenants apply` and `tenants show` (decisions, section 3, Operator). */
export function addTenantsCommands(program: Command): void {
  const tenants = program
    .command('tenants')
    .description('customers, domains, workspaces, people and their roles');

  tenants
    .command('apply')
    .description(
      'bring the customers that a YAML file declares to that state, all or nothing, after showing what changes; what ' +
        'the file does not name stays as it is (OWNER_DATABASE_URL)',
    )
    .requiredOption('-f, --file <path>', 'the tenants file; - for standard input')
    .option('--dry-run', 'only show what would change')
    .option('--json', 'show it as JSON')
    .action(async ({ file, dryRun = false, json = false }: ApplyOptions) => {
      const declared = await readTenantsFile(file);
      await withOwnerDatabase(async ({ database, actor }) => {
        const changes = await database.transaction(
          async (transaction) => {
            await lockTenants(transaction);
            const steps = difference(declared, await readTenants(transaction));
            if (!json) console.log(steps.map(describeChange).join('\n') || 'nothing to change');
            if (!dryRun) await applyChanges(transaction, steps, actor);
            return steps;
          },
          { timeoutMs: APPLY_TIMEOUT_MS },
        );
        if (json) console.log(JSON.stringify({ applied: !dryRun, changes }, null, 2));
        else if (changes.length > 0) console.log(dryRun ? 'not applied (--dry-run)' : 'applied');
      });
    });

  tenants
    .command('show')
    .description('every customer with its ids, domains, workspaces and people (OWNER_DATABASE_URL)')
    .option('--json', 'as JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withOwnerDatabase(async ({ database }) => {
        const customers = await readTenants(database);
        if (json) return console.log(JSON.stringify({ customers }, null, 2));
        for (const { id, slug, name, active, domains, workspaces } of customers) {
          console.log(`${id} ${slug} (${name})${active ? '' : ', inactive'}: ${domains.join(', ')}`);
          for (const workspace of workspaces) {
            console.log(
              `    ${workspace.id} ${workspace.slug} (${workspace.name})${workspace.is_default ? ', default' : ''}`,
            );
            for (const { email, role } of workspace.members) console.log(`        ${email}: ${role}`);
          }
        }
      });
    });
}
