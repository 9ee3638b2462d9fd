import { StackError } from '../failures.ts';
import type { Customer } from './tenants.ts';

/** What a person may call a customer or a workspace. */
interface Named {
  id: number;
  slug: string;
  name: string;
}

/**
 * The ids of a customer and one of its workspaces, given by slug, name or id.
 *
 * @throws {StackError} naming what there is
 */
export function findPlace(
  customers: Customer[],
  { customer, workspace }: { customer?: string; workspace?: string },
): { customerId?: number; workspaceId?: number } {
  if (customer === undefined) {
    if (workspace !== undefined)
      throw new StackError('A workspace is one of a customer: give --customer too.');
    return {};
  }
  const found = find('--customer', customer, customers);
  if (workspace === undefined) return { customerId: found.id };
  return { customerId: found.id, workspaceId: find('--workspace', workspace, found.workspaces).id };
}

function find<Each extends Named>(option: string, wanted: string, all: Each[]): Each {
  const key = wanted.toLowerCase();
  const found = all.find(({ id, slug, name }) => [String(id), slug, name.toLowerCase()].includes(key));
  if (found) return found;
  const known = all.map(({ id, slug }) => `${slug} (${id})`).join(', ');
  throw new StackError(`${option} is "${wanted}": it should be one of ${known}.`);
}
