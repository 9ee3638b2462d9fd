/** Customer and workspace that narrow every view; absent means everything the user may see. */
export interface Scope {
  customer_id?: number;
  workspace_id?: number;
}

/** Queries whose key starts with this show live data: `usePulse` refreshes them when the data has changed. The scope or filters are its third element. */
export const LIVE = 'live';
/**
 * Returns the previous data of a view while that of other filters loads, but not that of another scope: it would be shown
 * as the data of this one.
 */
export function previousOf({ customer_id, workspace_id }: Scope) {
  return <Data>(data: Data | undefined, query: { queryKey: readonly unknown[] } | undefined) => {
    const previous = query?.queryKey[2] as Scope | undefined;
    const isSame = previous?.customer_id === customer_id && previous?.workspace_id === workspace_id;
    return isSame ? data : undefined;
  };
}
