import type { Queryable } from '@gpu-observatory/service-runtime/process';
import { repository } from '../database/repositories.ts';
import { CustomerDomain } from './customer-domain.entity.ts';
import type { Customer } from './customer.entity.ts';

/** Returns the customer of an email domain. Subdomains do not match. */
export async function findCustomerByDomain(
  queryable: Queryable,
  domain: string,
): Promise<Customer | undefined> {
  const found = await repository(queryable, CustomerDomain).findOne({
    where: { domain },
    relations: { customer: true },
  });
  return found?.customer;
}
