import { StackError } from '../errors.ts';
import type { Customer } from './tenants.ts';

interface Named {
  id: number;
  slug: string;
  name: string;
}

/**
 * Looks up a customer and one of its workspaces by slug, name or id.
 *
 * @throws {StackError} with the existing ones if there is no match
 */
export function resolveCustomer(
  customers: Customer[],
  { customer, workspace }: { customer?: string; workspace?: string },
): { customerId?: number; workspace?: Named } {
  if (customer === undefined) {
    if (workspace !== undefined) throw new StackError('--workspace requires --customer.');
    return {};
  }
  const found = find('--customer', customer, customers);
  if (workspace === undefined) return { customerId: found.id };
  return { customerId: found.id, workspace: find('--workspace', workspace, found.workspaces) };
}

function find<Each extends Named>(option: string, value: string, all: Each[]): Each {
  const key = value.toLowerCase();
  const found = all.find(({ id, slug, name }) => [String(id), slug, name.toLowerCase()].includes(key));
  if (found) return found;
  const known = all.map(({ id, slug }) => `${slug} (${id})`).join(', ');
  throw new StackError(`${option} must be one of ${known}, got "${value}".`);
}
