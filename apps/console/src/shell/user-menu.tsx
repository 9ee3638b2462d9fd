import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';
import type { TimeZone } from '../data/format.ts';
import { meQuery } from '../data/queries.ts';
import { loadChunk } from '../parts/chunk-error.ts';
import { Segmented } from '../parts/segmented.tsx';
import { useClosing } from '../parts/use-closing.ts';
import { useServices } from '../session/services.ts';
import { type Theme, useTheme, useTimeZone } from './preferences.ts';
import styles from './shell.module.css';

const SessionsDialog = lazy(async () => ({
  default: (await loadChunk(() => import('../sessions/sessions-dialog.tsx'))).SessionsDialog,
}));

const THEMES: [Theme, string][] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];
const ZONES: [TimeZone, string][] = [
  ['local', 'Local'],
  ['utc', 'UTC'],
];

/** The signed-in user, the preferences of this browser, help, sessions and sign-out. */
export function UserMenu({ onHelp }: { onHelp: () => void }) {
  const services = useServices();
  const { data } = useQuery(meQuery(services));
  const [theme, setTheme] = useTheme();
  const [zone, setZone] = useTimeZone();
  const [error, setError] = useState<string>();
  const [isSessionsOpen, setSessionsOpen] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  const close = useClosing(menu);
  const user = data?.user;
  if (!user) return null;
  const signOut = () => {
    services.account.post('/api/v1/auth/logout').catch((failure: Error) => setError(failure.message));
  };
  const closeAnd = (action: () => void) => () => {
    close();
    action();
  };
  const details = (
    <details ref={menu} className={styles.menu}>
      <summary>
        <span aria-hidden="true">{initials(user.name || user.email)}</span>
        <span className="visually-hidden">Menu of {user.name || user.email}</span>
      </summary>
      <div className={styles.sheet}>
        <p>
          <strong>{user.name}</strong>
          <br />
          {user.email}
        </p>
        <div className={styles.preference}>
          <span aria-hidden="true">Theme</span>
          <Segmented label="Theme" options={THEMES} selected={theme} onSelect={setTheme} />
        </div>
        <div className={styles.preference}>
          <span aria-hidden="true">Times</span>
          <Segmented label="Times" options={ZONES} selected={zone} onSelect={setZone} />
        </div>
        <button type="button" onClick={closeAnd(onHelp)}>
          Keyboard shortcuts
        </button>
        <button type="button" onClick={closeAnd(() => setSessionsOpen(true))}>
          Sessions
        </button>
        <button type="button" onClick={signOut}>
          Sign out
        </button>
        {error === undefined ? null : <p role="alert">{error}</p>}
      </div>
    </details>
  );
  return (
    <>
      {details}
      {isSessionsOpen ? (
        <Suspense fallback={null}>
          <SessionsDialog onClose={() => setSessionsOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function initials(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('');
}
