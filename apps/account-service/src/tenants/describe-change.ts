import type { Change } from './tenants-diff.ts';

/** Returns one line of text per change. */
export function describeChanges(changes: readonly Change[]): string[] {
  return changes.length > 0 ? changes.map(describeChange) : ['nothing to change'];
}

const SIGNS = { added: '+', changed: '~', removed: '-' };

/** Describes a change in one line, such as `+ domain acme: acme.example`. */
function describeChange(change: Change): string {
  const [entity, verb] = change.change.split('_') as [string, keyof typeof SIGNS];
  const path = 'workspace' in change ? `${change.customer}/${change.workspace}` : change.customer;
  return `${SIGNS[verb]} ${entity} ${path}: ${detailsOf(change)}`;
}

function detailsOf(change: Change): string {
  if ('domain' in change) return change.domain;
  if ('role' in change && change.role !== null) return `${change.email} as ${change.role}`;
  if ('email' in change) return change.email;
  const to = fieldsOf(change.to);
  return change.from === undefined ? to : `${fieldsOf(change.from)} -> ${to}`;
}

function fieldsOf(fields: object): string {
  return Object.entries(fields)
    .map(([field, value]) => `${field} ${JSON.stringify(value)}`)
    .join(', ');
}
