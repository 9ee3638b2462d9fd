import { OperationError, type Queryable } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { isInteractive, confirm, YES_OPTION } from '../operations/confirmation.ts';
import { type CommandOptions, JSON_OPTION, type Line, print } from '../operations/output.ts';
import { type Operation, asOperator } from '../operations/as-operator.ts';
import { applyChanges } from './apply-changes.ts';
import { describeChanges } from './describe-change.ts';
import { type Change, diffTenants } from './tenants-diff.ts';
import { type DeclaredTenants, readTenantsFile } from './tenants-file.ts';
import { type CurrentCustomer, lockTenants, readTenants } from './tenants.queries.ts';

interface ApplyOptions extends CommandOptions {
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
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action(async (options: ApplyOptions) => {
      const declared = await readTenantsFile(options.file);
      await asOperator((operation) => applyFile(declared, operation, options));
    });

  tenants
    .command('show')
    .description('show all customers with ids, domains, workspaces and members (OWNER_DATABASE_URL)')
    .option(...JSON_OPTION)
    .action(async (options: CommandOptions) => {
      await asOperator(async ({ database }) => {
        const customers = await readTenants(database);
        print(options, { customers }, customers.flatMap(describeCustomer));
      });
    });
}

async function applyFile(
  declared: DeclaredTenants,
  { database, actor }: Operation,
  options: ApplyOptions,
): Promise<void> {
  const plan = async (queryable: Queryable) => diffTenants(declared, await readTenants(queryable));
  if (options.dryRun) {
    const changes = await plan(database);
    printChanges(changes, options);
    return printSummary(changes, options);
  }
  const needsConfirmation = isInteractive() && options.yes !== true && options.file !== '-';
  const confirmed = needsConfirmation ? await confirmChanges(await plan(database), options) : undefined;
  const applied = await database.transaction(async (transaction) => {
    await lockTenants(transaction);
    const changes = await plan(transaction);
    if (confirmed) requireUnchangedPlan(confirmed, changes);
    else printChanges(changes, options);
    await applyChanges(transaction, changes, actor);
    return changes;
  });
  printSummary(applied, options);
}

/** With `--json`, one document at the end has the changes. */
function printChanges(changes: Change[], { json }: ApplyOptions): void {
  if (!json) print({}, {}, describeChanges(changes));
}

function printSummary(changes: Change[], { dryRun = false, json = false }: ApplyOptions): void {
  if (json) print({ json }, { applied: !dryRun, changes }, []);
  else if (changes.length > 0) print({}, {}, [dryRun ? 'not applied (--dry-run)' : 'applied']);
}

/** Shows the changes, and asks for confirmation if they remove access. */
async function confirmChanges(changes: Change[], options: ApplyOptions): Promise<Change[]> {
  printChanges(changes, options);
  if (changes.some(isRemoval)) await confirm('These changes remove access', options);
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

function describeCustomer({ id, slug, name, active, domains, workspaces }: CurrentCustomer): Line[] {
  return [
    `${id} ${slug} (${name})${active ? '' : ', inactive'}: ${domains.join(', ')}`,
    ...workspaces.flatMap((workspace) => [
      `    ${workspace.id} ${workspace.slug} (${workspace.name})${workspace.is_default ? ', default' : ''}`,
      ...workspace.members.map(({ email, role }) => `        ${email}: ${role}`),
    ]),
  ];
}
