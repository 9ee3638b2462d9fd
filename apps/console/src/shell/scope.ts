import { useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Scope } from '../data/queries.ts';
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

function isId(text: string | undefined): text is string {
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text);
}
