import type { Command } from 'commander';
import { withOwnerDatabase } from '../operations/owner-database.ts';
import { readTenants } from '../tenants/tenants.queries.ts';

/** `customers list`. Customers are changed by `tenants apply`. */
export function addCustomersCommands(program: Command): void {
  program
    .command('customers')
    .description('the organisations whose people may sign in')
    .command('list')
    .description('every customer with its id and domains (OWNER_DATABASE_URL)')
    .option('--json', 'as JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      await withOwnerDatabase(async ({ database }) => {
        const customers = (await readTenants(database)).map(
          ({ id, slug, name, active, default_role, providers, domains, users }) => ({
            id,
            slug,
            name,
            active,
            default_role,
            providers,
            domains,
            user_count: users.length,
          }),
        );
        if (json) return console.log(JSON.stringify({ customers }, null, 2));
        for (const { id, slug, active, domains, user_count: count } of customers) {
          console.log(
            `${id}\t${slug}\t${active ? 'active' : 'inactive'}\t${domains.join(',')}\t${count} users`,
          );
        }
      });
    });
}
