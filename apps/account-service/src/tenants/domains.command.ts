import { OperationError } from '@gpu-observatory/service-runtime/process';
import type { Command } from 'commander';
import { confirm } from '../operations/confirmation.ts';
import { printList } from '../operations/output.ts';
import { changeTenants, currentTenants, parseArgument, requireCustomer } from './change-tenants.ts';
import { ownerOfDomain } from './ownership-conflicts.ts';
import { domain } from './tenants-file.ts';

interface Options {
  customer?: string;
}

/** Adds `domains list|add|remove`. */
export function addDomainsCommands(program: Command): void {
  const domains = program
    .command('domains')
    .description('email domains whose users may sign in; each belongs to one customer');

  domains
    .command('list')
    .description('list all domains with their customers (OWNER_DATABASE_URL)')
    .option('--customer <slug>', 'only of this customer')
    .action(async ({ customer }: Options) => {
      const rows = (await currentTenants(customer)).flatMap(({ slug, domains }) =>
        domains.map((each) => ({ domain: each, customer: slug })),
      );
      printList('domains', rows);
    });

  domains
    .command('add <customer> <domain>')
    .description(
      'allow sign-in with addresses of a domain; subdomains are separate domains (OWNER_DATABASE_URL)',
    )
    .action((customer: string, text: string) =>
      changeTenants((current) => {
        const added = parseArgument(domain, text, 'the domain');
        const { slug } = requireCustomer(current, customer);
        const owner = ownerOfDomain(current, added);
        if (owner?.slug === slug) return [];
        if (owner)
          throw new OperationError(`${added} belongs to ${owner.slug}; run "domains remove ${added}" first`);
        return [{ change: 'domain_added', customer: slug, domain: added }];
      }),
    );

  domains
    .command('remove <domain>')
    .description('remove a domain and end the sessions of its users (OWNER_DATABASE_URL)')
    .action(async (text: string) => {
      const removed = parseArgument(domain, text, 'the domain');
      await confirm(`All users with an address of ${removed} will be signed out`);
      await changeTenants((current) => {
        const owner = ownerOfDomain(current, removed);
        if (!owner)
          throw new OperationError(`domain ${removed} does not exist; "domains list" shows all domains`);
        return [{ change: 'domain_removed', customer: owner.slug, domain: removed }];
      });
    });
}
