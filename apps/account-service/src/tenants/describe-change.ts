import type { Change } from './difference.ts';

/** Every change as a line for people. */
export function describeChanges(changes: readonly Change[]): string[] {
  return changes.length > 0 ? changes.map(describeChange) : ['nothing to change'];
}

/** A change as a line for people: `+` added, `~` changed, `-` removed. */
function describeChange(change: Change): string {
  const sign = /_added$/.test(change.change) ? '+' : /_removed$/.test(change.change) ? '-' : '~';
  const what = change.change.replace(/_[a-z]+$/, '');
  const place = [change.customer, 'workspace' in change ? change.workspace : null].filter(Boolean).join('/');
  switch (change.change) {
    case 'customer_added':
    case 'workspace_added':
      return `${sign} ${what} ${place}: ${fieldsOf(change.to)}`;
    case 'customer_changed':
    case 'workspace_changed':
      return `${sign} ${what} ${place}: ${fieldsOf(change.from ?? {})} -> ${fieldsOf(change.to)}`;
    case 'domain_added':
    case 'domain_removed':
      return `${sign} domain ${place}: ${change.domain}`;
    case 'user_added':
    case 'administrator_added':
    case 'administrator_removed':
      return `${sign} ${what} ${place}: ${change.email}`;
    case 'member_added':
    case 'member_changed':
    case 'member_removed':
      return `${sign} member ${place}: ${change.email}${change.role === null ? '' : ` as ${change.role}`}`;
  }
}

function fieldsOf(fields: object): string {
  return Object.entries(fields)
    .map(([field, value]) => `${field} ${JSON.stringify(value)}`)
    .join(', ');
}
