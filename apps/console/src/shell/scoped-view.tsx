import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useSearch } from '@tanstack/react-router';
import { workspacesQuery } from '../data/queries.ts';
import { Empty } from '../parts/states.tsx';
import { useServices } from '../session/services.ts';
import { isVisibleScope } from './scope.ts';

/** The view of the URL. A scope that the user may not see would look like a product without data. */
export function ScopedView() {
  const { data } = useQuery(workspacesQuery(useServices()));
  const { customer, workspace } = useSearch({ strict: false });
  if (!data || isVisibleScope({ customer, workspace }, data.workspaces)) return <Outlet />;
  const noun = workspace ? 'workspace' : 'customer';
  return (
    <Empty isPage title={`This ${noun} does not exist, or you may not see it.`}>
      <Link to="." search={(search) => ({ ...search, customer: undefined, workspace: undefined })}>
        Show all workspaces
      </Link>
    </Empty>
  );
}
