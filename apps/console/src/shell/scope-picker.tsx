import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { workspacesQuery } from '../data/queries.ts';
import { useServices } from '../session/services.ts';
import { isVisibleScope } from './scope.ts';
import styles from './shell.module.css';

/** Narrows every view to a customer or a workspace; the choice is part of the URL. */
export function ScopePicker() {
  const { data } = useQuery(workspacesQuery(useServices()));
  const { customer, workspace } = useSearch({ strict: false });
  const navigate = useNavigate();
  const workspaces = data?.workspaces ?? [];
  const customers = [...new Map(workspaces.map((each) => [each.customer_id, each.customer_name]))];
  if (workspaces.length < 2) return null;
  const value = workspace ? `w${workspace}` : customer ? `c${customer}` : '';
  const select = (chosen: string) => {
    const id = chosen.slice(1);
    void navigate({
      to: '.',
      search: (search) => ({
        ...search,
        customer: chosen.startsWith('c') ? id : undefined,
        workspace: chosen.startsWith('w') ? id : undefined,
      }),
    });
  };
  return (
    <select
      className={styles.scope}
      aria-label="Scope"
      value={value}
      onChange={({ target }) => select(target.value)}
    >
      {isVisibleScope({ customer, workspace }, workspaces) ? null : (
        <option value={value}>{workspace ? 'Unknown workspace' : 'Unknown customer'}</option>
      )}
      <option value="">{customers.length > 1 ? 'All customers' : 'All workspaces'}</option>
      {customers.map(([id, name]) => (
        <optgroup key={id} label={name}>
          {customers.length > 1 ? <option value={`c${id}`}>All of {name}</option> : null}
          {workspaces
            .filter(({ customer_id }) => customer_id === id)
            .map((each) => (
              <option key={each.id} value={`w${each.id}`}>
                {/* A closed select shows the option without its group. */}
                {customers.length > 1 ? `${each.customer_name} / ${each.name}` : each.name}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}
