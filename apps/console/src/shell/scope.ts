import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Scope, Workspace } from '../data/queries.ts';
import type { Search } from '../search.ts';

/** The scope of the URL: `?customer=1&workspace=7`. */
export function useScope(): Scope {
  const { customer, workspace } = useSearch({ strict: false });
  return useMemo(() => scopeOf({ customer, workspace }), [customer, workspace]);
}

export function scopeOf({ customer, workspace }: Search): Scope {
  return {
    ...(isId(customer) && { customer_id: Number(customer) }),
    ...(isId(workspace) && { workspace_id: Number(workspace) }),
  };
}

/** Whether the user may see the customer and workspace of the URL. */
export function isVisibleScope({ customer, workspace }: Search, workspaces: Workspace[]): boolean {
  if (!customer && !workspace) return true;
  return workspaces.some(
    ({ id, customer_id }) =>
      (!workspace || workspace === String(id)) && (!customer || customer === String(customer_id)),
  );
}

function isId(text: string | undefined): text is string {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text);
}
