import type { Change } from './tenants-diff.ts';

/** Returns one line of text per change. */
export function describeChanges(changes: readonly Change[]): string[] {
  return changes.length > 0 ? changes.map(describeChange) : ['nothing to change'];
}

/** Describes a change in one line: `+` added, `~` changed, `-` removed. */
function describeChange(change: Change): string {
  const sign = /_added$/.test(change.change) ? '+' : /_removed$/.test(change.change) ? '-' : '~';
  const entity = change.change.replace(/_[a-z]+$/, '');
  const path = [change.customer, 'workspace' in change ? change.workspace : null].filter(Boolean).join('/');
  switch (change.change) {
    case 'customer_added':
    case 'workspace_added':
      return `${sign} ${entity} ${path}: ${fieldsOf(change.to)}`;
    case 'customer_changed':
    case 'workspace_changed':
      return `${sign} ${entity} ${path}: ${fieldsOf(change.from ?? {})} -> ${fieldsOf(change.to)}`;
    case 'domain_added':
    case 'domain_removed':
      return `${sign} domain ${path}: ${change.domain}`;
    case 'user_added':
    case 'administrator_added':
    case 'administrator_removed':
      return `${sign} ${entity} ${path}: ${change.email}`;
    case 'member_added':
    case 'member_changed':
    case 'member_removed':
      return `${sign} member ${path}: ${change.email}${change.role === null ? '' : ` as ${change.role}`}`;
  }
}

function fieldsOf(fields: object): string {
  return Object.entries(fields)
    .map(([field, value]) => `${field} ${JSON.stringify(value)}`)
    .join(', ');
}
