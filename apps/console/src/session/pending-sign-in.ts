import { startSignIn, type StartedSignIn } from '@gpu-observatory/client';

/** The sign-in that this tab has started, until its callback. */
export interface PendingSignIn {
  /** The view to return to, a path of this origin. */
  returnPath: string;
  exchange: StartedSignIn['exchange'];
}

const KEY = 'pending-sign-in';

/** Navigates to the provider. The callback returns to the current view. */
export async function leaveForSignIn(methodUrl: string): Promise<void> {
  const { origin, pathname, search } = window.location;
  const { url, exchange } = await startSignIn(methodUrl, origin);
  const returnPath = pathname.startsWith('/auth/') ? '/' : pathname + search;
  sessionStorage.setItem(KEY, JSON.stringify({ returnPath, exchange } satisfies PendingSignIn));
  window.location.assign(url);
}

/** Returns the pending sign-in and deletes it; undefined if this tab started none. */
export function takePendingSignIn(): PendingSignIn | undefined {
  const stored = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (stored === null) return undefined;
  const { returnPath, exchange } = JSON.parse(stored) as PendingSignIn;
  const isLocal = returnPath.startsWith('/') && !returnPath.startsWith('//');
  return { returnPath: isLocal ? returnPath : '/', exchange };
}
