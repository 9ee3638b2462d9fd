import { OperationError } from '@gpu-observatory/service-runtime';
import type { Command } from 'commander';
import { confirm, YES_OPTION } from '../operations/confirmation.ts';
import { JSON_OPTION, print } from '../operations/output.ts';
import { changeTenants, currentTenants, readArgument, requireCustomer } from '../tenants/change-tenants.ts';
import { domain } from '../tenants/tenants-file.ts';

interface Options {
  customer?: string;
  json?: boolean;
  yes?: boolean;
}

/** `domains list|add|remove`: the e-mail domains whose people may sign in. */
export function addDomainsCommands(program: Command): void {
  const domains = program
    .command('domains')
    .description('e-mail domains, each of which belongs to one customer');

  domains
    .command('list')
    .description('every domain and its customer (OWNER_DATABASE_URL)')
    .option('--customer <slug>', 'of one customer alone')
    .option(...JSON_OPTION)
    .action(async ({ customer, ...options }: Options) => {
      const found = (await currentTenants(customer)).flatMap(({ slug, domains }) =>
        domains.map((each) => ({ domain: each, customer: slug })),
      );
      print(
        options,
        { domains: found },
        found.map((each) => [each.domain, each.customer]),
      );
    });

  domains
    .command('add <customer> <domain>')
    .description(
      'let people with addresses of a domain sign in; its subdomains are other domains (OWNER_DATABASE_URL)',
    )
    .option(...JSON_OPTION)
    .action((customer: string, text: string, options: Options) =>
      changeTenants(options, (current) => {
        const added = readArgument(domain, text, 'the domain');
        const { slug } = requireCustomer(current, customer);
        const owner = current.find(({ domains }) => domains.includes(added));
        if (owner?.slug === slug) return [];
        if (owner)
          throw new OperationError(`${added} belongs to ${owner.slug}; domains remove it there first`);
        return [{ change: 'domain_added', customer: slug, domain: added }];
      }),
    );

  domains
    .command('remove <domain>')
    .description(
      'end the sessions of people with addresses of a domain, and let them in no more (OWNER_DATABASE_URL)',
    )
    .option(...YES_OPTION)
    .option(...JSON_OPTION)
    .action(async (text: string, options: Options) => {
      const removed = readArgument(domain, text, 'the domain');
      await confirm(`Everybody with an address of ${removed} will be signed out`, options);
      await changeTenants(options, (current) => {
        const owner = current.find(({ domains }) => domains.includes(removed));
        if (!owner)
          throw new OperationError(`there is no domain ${removed}; domains list shows those there are`);
        return [{ change: 'domain_removed', customer: owner.slug, domain: removed }];
      });
    });
}
