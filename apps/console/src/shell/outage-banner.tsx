import { ServiceError } from '@gpu-observatory/client';
import { useEffect, useEffectEvent } from 'react';
import { describeError, RetryButton } from '../parts/states.tsx';
import styles from './outage-banner.module.css';

/** Says once per view that requests fail, and repeats them: by countdown, by click and when the network is back. */
export function OutageBanner({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { title, detail, retryAfterSeconds } = describeError(error);
  const repeat = useEffectEvent(onRetry);
  useEffect(() => {
    const onOnline = () => repeat();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, []);
  return (
    <section className={styles.banner} aria-label="Connection">
      <p role="alert">
        <strong>{title}</strong> {detail}
        {error instanceof ServiceError && error.requestId !== undefined ? (
          <small> Request {error.requestId}</small>
        ) : null}
      </p>
      <RetryButton onRetry={onRetry} seconds={retryAfterSeconds} />
    </section>
  );
}
