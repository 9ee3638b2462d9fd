import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { methodsQuery } from '../data/queries.ts';
import { ErrorState, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { leaveForSignIn } from './pending-sign-in.ts';
import { useServices } from './services.ts';
import styles from './sign-in.module.css';

/** Why the user is not signed in. */
export interface SignInMessage {
  text: string;
  isError: boolean;
}

/** The page of a user without a session: a description of the product, and the deployment's sign-in methods. */
export function SignIn({ message }: { message: SignInMessage | undefined }) {
  useTitle('Sign in');
  const services = useServices();
  const { data, error, refetch } = useQuery(methodsQuery(services));
  const [failure, setFailure] = useState<Error>();
  const methods = data?.methods.filter(({ type }) => type === 'oauth') ?? [];
  return (
    <main className={styles.page}>
      <Dome />
      <h1>GPU Observatory</h1>
      <p className={styles.lead}>
        What your GPUs do, what runs on them, and what should not: alerts, health and telemetry of your fleet.
      </p>
      {message === undefined ? null : (
        <p
          className={message.isError ? styles.error : styles.notice}
          role={message.isError ? 'alert' : 'status'}
        >
          {message.text}
        </p>
      )}
      {failure === undefined ? null : <p role="alert">The sign-in cannot start: {failure.message}</p>}
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton lines={2} height="2.75rem" /> : null}
      <div className={styles.methods}>
        {methods.map(({ id, name, url }) => (
          <button key={id} type="button" onClick={() => void leaveForSignIn(url).catch(setFailure)}>
            Sign in with {name}
          </button>
        ))}
      </div>
      <p className={styles.foot}>
        <a href={services.config.site_url}>About GPU Observatory</a>
      </p>
    </main>
  );
}

function Dome() {
  return <img src="/dome.svg" alt="" width="56" height="56" />;
}

/** Turns the `error` of `/auth/callback` into a sentence. */
export function signInErrorMessage(params: URLSearchParams): string {
  const code = params.get('error') ?? '';
  const detail = params.get('error_description');
  switch (code) {
    case 'domain_not_allowed':
      return `Your organization is not set up here${detail ? `: ${detail}` : ''}. Sign in with another account, or ask your operator to add its e-mail domain.`;
    case 'email_not_verified':
      return 'The provider sent no verified e-mail address for your account. Verify the address there; if it is verified, ask your operator to check the configuration of the provider.';
    case 'google_workspace_required':
      return 'Your organization requires its Google Workspace account, and this Google account only has the address. Sign in with the account that your organization manages.';
    case 'provider_not_allowed':
      return 'Your organization does not allow this sign-in method. Use another one.';
    case 'access_denied':
      return 'You canceled the sign-in at the provider.';
    default:
      return `The sign-in failed (${code || 'unknown error'}${detail ? `: ${detail}` : ''}). Try again.`;
  }
}
