import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { repository } from '../database/repositories.ts';
import { CustomerDomain } from './customer-domain.entity.ts';
import type { Customer } from './customer.entity.ts';

/** Returns the customer of an email domain. Subdomains do not match. */
export async function findCustomerByDomain(
  queryable: Queryable,
  domain: string,
): Promise<Customer | undefined> {
  // `findOne` with a relation sends two statements.
  const [found] = await repository(queryable, CustomerDomain).find({
    where: { domain },
    relations: { customer: true },
  });
  return found?.customer;
}
