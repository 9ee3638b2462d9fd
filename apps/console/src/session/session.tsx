import { AccountError, type SessionEnd } from '@gpu-observatory/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { gpusQuery, meQuery } from '../data/queries.ts';
import { ErrorState } from '../parts/states.tsx';
import { forgetVisits } from '../parts/recent-visits.ts';
import { scopeOf } from '../shell/scope.ts';
import { useServices } from './services.ts';
import { takePendingSignIn } from './pending-sign-in.ts';
import { SignIn, signInErrorMessage, type SignInMessage } from './sign-in.tsx';

/** Path to which the account service returns a user with a code. */
export const CALLBACK_PATH = '/auth/callback';
const errorMessage = (text: string): SignInMessage => ({ text, isError: true });
const END_MESSAGES: Record<SessionEnd, SignInMessage> = {
  expired: errorMessage('Your session has expired. Sign in again to continue where you were.'),
  'signed-out': { text: 'You have signed out.', isError: false },
};

/** Shows its children to a signed-in user and the sign-in page to everyone else. */
export function SessionGate({ children }: { children: ReactNode }) {
  const services = useServices();
  const queryClient = useQueryClient();
  const [message, setMessage] = useState<SignInMessage>();
  const [isExchanging, setExchanging] = useState(window.location.pathname === CALLBACK_PATH);
  const exchanged = useRef(false);

  const exchangeCode = useCallback(async () => {
    const params = new URLSearchParams(window.location.search);
    const pending = takePendingSignIn();
    window.history.replaceState(null, '', pending?.returnPath ?? '/');
    const code = params.get('code');
    if (code === null) return setMessage(errorMessage(signInErrorMessage(params)));
    // A link with an attacker's code would sign the visitor in as the attacker (docs/signing-in.md#the-flow).
    if (pending === undefined)
      return setMessage(errorMessage('This tab did not start a sign-in. Sign in here.'));
    try {
      await services.account.post('/api/v1/auth/token', { body: { code, ...pending.exchange } });
      // The overview needs the GPUs first; their request does not wait for that of the user.
      const { pathname, search } = window.location;
      const scope = scopeOf(Object.fromEntries(new URLSearchParams(search)));
      if (pathname === '/') void queryClient.prefetchQuery(gpusQuery(services, scope));
    } catch (error) {
      const isInvalid = error instanceof AccountError && error.code === 'Invalid Code';
      setMessage(
        errorMessage(
          isInvalid
            ? 'This sign-in has expired or was already used. Sign in again.'
            : (error as Error).message,
        ),
      );
    }
  }, [services, queryClient]);

  useEffect(() => {
    if (!isExchanging || exchanged.current) return;
    exchanged.current = true;
    void exchangeCode().finally(() => setExchanging(false));
  }, [isExchanging, exchangeCode]);

  const { data, error, refetch } = useQuery({ ...meQuery(services), enabled: !isExchanging, retry: false });

  useEffect(
    () =>
      services.onSessionEnd((reason) => {
        // A first visit has no session to lose.
        if (queryClient.getQueryData(['me']) === undefined) return;
        setMessage(END_MESSAGES[reason]);
        queryClient.clear();
        forgetVisits();
        void refetch();
      }),
    [services, queryClient, refetch],
  );

  if (isExchanging || (!data && !error)) return null;
  if (data) return children;
  if (error instanceof AccountError && error.status === 401) return <SignIn message={message} />;
  return <ErrorState isPage error={error as Error} onRetry={() => void refetch()} />;
}
