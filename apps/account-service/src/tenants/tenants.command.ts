import { OperationError, type Queryable } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { asksForConfirmation, confirm } from '../operations/confirmation.ts';
import { commonOptions, print, printLines } from '../operations/output.ts';
import { type Operation, asOperator } from '../operations/as-operator.ts';
import { applyChanges } from './apply-changes.ts';
import { describeChanges } from './describe-change.ts';
import { type Change, diffTenants } from './tenants-diff.ts';
import { type DeclaredTenants, readTenantsFile } from './tenants-file.ts';
import { type CurrentCustomer, lockTenants, readTenants } from './tenants.queries.ts';

interface ApplyOptions {
  file: string;
  dryRun?: boolean;
}

/** Adds `tenants apply|show` (`docs/operating-accounts.md#tenants-in-git`). */
export function addTenantsCommands(program: Command): void {
  const tenants = program.command('tenants').description('customers, domains, workspaces, users and roles');

  tenants
    .command('apply')
    .description(
      'apply the tenants that a YAML file declares, in one transaction, and print the changes; customers and ' +
        'workspaces that the file omits stay unchanged; at a terminal asks before removals (OWNER_DATABASE_URL)',
    )
    .requiredOption('-f, --file <path>', 'tenants file, or - for standard input')
    .option('--dry-run', 'print the changes without applying them')
    .action(async (options: ApplyOptions) => {
      const declared = await readTenantsFile(options.file);
      await asOperator((operation) => applyFile(declared, operation, options));
    });

  tenants
    .command('show')
    .description('show all customers with ids, domains, workspaces and members (OWNER_DATABASE_URL)')
    .action(async () => {
      await asOperator(async ({ database }) => {
        const customers = await readTenants(database);
        print({ customers }, customers.flatMap(describeCustomer));
      });
    });
}

async function applyFile(
  declared: DeclaredTenants,
  { database, actor }: Operation,
  { file, dryRun = false }: ApplyOptions,
): Promise<void> {
  const plan = async (queryable: Queryable) => diffTenants(declared, await readTenants(queryable));
  if (dryRun) {
    const changes = await plan(database);
    printChanges(changes);
    return printSummary(changes, 'not applied (--dry-run)');
  }
  const needsConfirmation = asksForConfirmation() && file !== '-';
  const confirmed = needsConfirmation ? await confirmChanges(await plan(database)) : undefined;
  const applied = await database.transaction(async (transaction) => {
    await lockTenants(transaction);
    const changes = await plan(transaction);
    if (confirmed) requireUnchangedPlan(confirmed, changes);
    else printChanges(changes);
    await applyChanges(transaction, changes, actor);
    return changes;
  });
  printSummary(applied, 'applied');
}

/** With `--json`, one document at the end has the changes. */
function printChanges(changes: Change[]): void {
  if (!commonOptions().json) printLines(describeChanges(changes));
}

function printSummary(changes: Change[], outcome: 'applied' | 'not applied (--dry-run)'): void {
  print({ applied: outcome === 'applied', changes }, changes.length > 0 ? [outcome] : []);
}

/** Shows the changes, and asks for confirmation if they remove access. */
async function confirmChanges(changes: Change[]): Promise<Change[]> {
  printChanges(changes);
  if (changes.some(isRemoval)) await confirm('These changes remove access');
  return changes;
}

/** Rejects the apply when the changes differ from the confirmed ones. */
function requireUnchangedPlan(confirmed: Change[], planned: Change[]): void {
  if (JSON.stringify(confirmed) === JSON.stringify(planned)) return;
  throw new OperationError(
    'the tenants changed during the confirmation; nothing was applied: run the command again',
  );
}

function isRemoval(change: Change): boolean {
  return (
    /_removed$/.test(change.change) || (change.change === 'customer_changed' && change.to.active === false)
  );
}

function describeCustomer({ id, slug, name, active, domains, workspaces }: CurrentCustomer): string[] {
  return [
    `${id} ${slug} (${name})${active ? '' : ', inactive'}: ${domains.join(', ')}`,
    ...workspaces.flatMap((workspace) => [
      `    ${workspace.id} ${workspace.slug} (${workspace.name})${workspace.is_default ? ', default' : ''}`,
      ...workspace.members.map(({ email, role }) => `        ${email}: ${role}`),
    ]),
  ];
}
