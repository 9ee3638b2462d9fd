import { ConnectionError, ServiceError } from '@gpu-observatory/client';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { ChunkError } from './chunk-error.ts';
import { clearedFiltersUrl, listUrl } from './way-back.ts';
import styles from './states.module.css';

/** A placeholder of a block while it loads. Give it the size of the block. */
export function Skeleton({ height, lines = 1 }: { height?: string; lines?: number }) {
  return (
    <div role="status" className={styles.skeletons}>
      <span className="visually-hidden">Loading…</span>
      {Array.from({ length: lines }, (_unused, n) => (
        <span key={n} className={styles.skeleton} style={height === undefined ? undefined : { height }} />
      ))}
    </div>
  );
}

interface EmptyProps {
  title: string;
  children?: ReactNode;
  /** Whether it takes the place of a whole view, so that its title is the heading of the page. */
  isPage?: boolean;
}

/** An empty result: why it is empty and what to do. */
export function Empty({ title, children, isPage = false }: EmptyProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className={styles.state} data-page={isPage || children !== undefined}>
      <Title className={styles.title}>{title}</Title>
      {children === undefined ? null : <div>{children}</div>}
    </div>
  );
}

const DEFAULT_RETRY_SECONDS = 10;

interface ErrorStateProps {
  error: Error;
  onRetry: () => void;
  /** Whether it takes the place of a whole view, so that its title is the heading of the page. */
  isPage?: boolean;
}

/** The message of a failed request, with a countdown to the next attempt if it is repeated. */
export function ErrorState({ error, onRetry, isPage = false }: ErrorStateProps) {
  const Title = isPage ? 'h1' : 'p';
  const { title, detail, retryAfterSeconds } = describeError(error);
  const clearedUrl = isStatus(error, 400) ? clearedFiltersUrl(window.location) : undefined;
  if (clearedUrl !== undefined) {
    return (
      <div className={styles.state} role="alert">
        <Title className={styles.title}>This link has an invalid filter.</Title>
        <a href={clearedUrl}>Clear the filters</a>
      </div>
    );
  }
  return (
    <div className={styles.state} role="alert">
      <Title className={styles.title}>{title}</Title>
      <p>{detail}</p>
      {error instanceof ServiceError && error.requestId !== undefined && (
        <p className={styles.quiet}>Request {error.requestId}</p>
      )}
      <ErrorAction error={error} onRetry={onRetry} seconds={retryAfterSeconds} />
    </div>
  );
}

/** What a person can do about an error. */
function ErrorAction({ error, onRetry, seconds }: RetryButtonProps & { error: Error }) {
  if (error instanceof ChunkError) return <ReloadButton isOffline={error.isOffline} />;
  if (isStatus(error, 404)) {
    const url = listUrl(window.location);
    return url === undefined ? null : <a href={url}>Go to the list</a>;
  }
  return <RetryButton key={String(error)} onRetry={onRetry} seconds={seconds} />;
}

/** Loads the page again, because the router keeps the error of a failed import. */
function ReloadButton({ isOffline }: { isOffline: boolean }) {
  const reload = () => {
    // A reload without a connection would replace the console by the error page of the browser.
    if (navigator.onLine) window.location.reload();
  };
  return (
    <button type="button" onClick={reload}>
      {isOffline ? 'Try again' : 'Reload'}
    </button>
  );
}

function isStatus(error: Error, status: number): boolean {
  return error instanceof ServiceError && error.status === status;
}

interface RetryButtonProps {
  onRetry: () => void;
  /** Time until the button acts by itself; undefined if only a click makes it act. */
  seconds: number | undefined;
}

export function RetryButton({ onRetry, seconds }: RetryButtonProps) {
  const [remaining, setRemaining] = useState(seconds);
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (remaining === undefined) return;
    if (remaining <= 0) {
      retry();
      setRemaining(seconds);
      return;
    }
    const timer = setTimeout(() => setRemaining(remaining - 1), 1_000);
    return () => clearTimeout(timer);
  }, [remaining, seconds]);
  return (
    <button
      type="button"
      onClick={() => {
        setRemaining(seconds);
        onRetry();
      }}
    >
      {remaining === undefined ? 'Try again' : `Try again now (${remaining} s)`}
    </button>
  );
}

/** Turns an error of the client into a sentence for a person. */
export function describeError(error: Error): {
  title: string;
  detail: string;
  /** Seconds until an automatic attempt; undefined when only a person should try again. */
  retryAfterSeconds: number | undefined;
} {
  if (error instanceof ChunkError) {
    return error.isOffline
      ? {
          title: 'You are offline.',
          detail: 'This view is not loaded yet. Try again when you are online.',
          retryAfterSeconds: undefined,
        }
      : {
          title: 'A new version of the console is available.',
          detail: 'Reload the page to open this view.',
          retryAfterSeconds: undefined,
        };
  }
  if (error instanceof ConnectionError) {
    return {
      title: navigator.onLine ? 'The service cannot be reached.' : 'You are offline.',
      detail: 'What you see may be out of date. The next attempt starts by itself.',
      retryAfterSeconds: DEFAULT_RETRY_SECONDS,
    };
  }
  if (error instanceof ServiceError) {
    const retryAfterSeconds = error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS;
    if (error.status === 429)
      return { title: 'Too many requests at once.', detail: error.message, retryAfterSeconds };
    if (error.status >= 500)
      return { title: 'The service has a problem.', detail: error.message, retryAfterSeconds };
    if (error.status === 404)
      return {
        title: 'Not found.',
        detail: 'It does not exist, or you may not see it.',
        retryAfterSeconds: undefined,
      };
    return { title: 'The request was rejected.', detail: error.message, retryAfterSeconds: undefined };
  }
  return { title: 'Something went wrong in this page.', detail: error.message, retryAfterSeconds: undefined };
}
