import { OperationError, type Queryable } from '@gpu-observatory/service-runtime';
import type { Command } from 'commander';
import { canAsk, confirm, YES_OPTION } from '../operations/confirmation.ts';
import { JSON_OPTION, type Line, print } from '../operations/output.ts';
import { type Operation, withOwnerDatabase } from '../operations/owner-database.ts';
import { applyChanges } from './apply-changes.ts';
import { describeChanges } from './describe-change.ts';
import { type Change, difference } from './difference.ts';
import { type DeclaredTenants, readTenantsFile } from './tenants-file.ts';
import { type CurrentCustomer, lockTenants, readTenants } from './tenants.queries.ts';

/** However large the file, an apply is one transaction. */
const APPLY_TIMEOUT_MS = 60_000;

interface ApplyOptions {
  file: string;
  dryRun?: boolean;
  json?: boolean;
  yes?: boolean;
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
        'the file does not name stays as it is; at a terminal asks before it takes something away (OWNER_DATABASE_URL)',
    )
    .requiredOption('-f, --file <path>', 'the tenants file; - for standard input')
    .option('--dry-run', 'only show what would change')
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action(async (options: ApplyOptions) => {
      const declared = await readTenantsFile(options.file);
      await withOwnerDatabase((operation) => applyFile(declared, operation, options));
    });

  tenants
    .command('show')
    .description('every customer with its ids, domains, workspaces and people (OWNER_DATABASE_URL)')
    .option(...JSON_OPTION)
    .action(async (options: { json?: boolean }) => {
      await withOwnerDatabase(async ({ database }) => {
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
  const show = (changes: Change[]) => options.json || print({}, {}, describeChanges(changes));
  const planned = async (queryable: Queryable) => {
    const changes = difference(declared, await readTenants(queryable));
    show(changes);
    return changes;
  };
  if (options.dryRun) return conclude(await planned(database), options);

  const asks = canAsk() && options.yes !== true && options.file !== '-';
  const agreed = asks ? await planned(database) : undefined;
  if (agreed?.some(takesAway)) await confirm('What is marked with - will be taken away', options);
  const changes = await database.transaction(
    async (transaction) => {
      await lockTenants(transaction);
      const steps = agreed
        ? refuseAnythingElse(agreed, difference(declared, await readTenants(transaction)))
        : await planned(transaction);
      await applyChanges(transaction, steps, actor);
      return steps;
    },
    { timeoutMs: APPLY_TIMEOUT_MS },
  );
  conclude(changes, options);
}

function conclude(changes: Change[], { dryRun = false, json = false }: ApplyOptions): void {
  if (json) print({ json }, { applied: !dryRun, changes }, []);
  else if (changes.length > 0) print({}, {}, [dryRun ? 'not applied (--dry-run)' : 'applied']);
}

/** What was agreed to is what is done. */
function refuseAnythingElse(agreed: Change[], steps: Change[]): Change[] {
  if (JSON.stringify(agreed) === JSON.stringify(steps)) return steps;
  throw new OperationError(
    'somebody else changed the tenants meanwhile; nothing was done: apply the file again',
  );
}

function takesAway(change: Change): boolean {
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
