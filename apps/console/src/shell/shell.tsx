import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { meQuery, workspacesQuery } from '../data/queries.ts';
import { usePulse } from '../data/use-pulse.ts';
import { Time, TimeZoneContext, useNow } from '../parts/time.tsx';
import { useServices } from '../session/services.ts';
import { Help } from './help.tsx';
import { type Theme, useTheme, useTimeZone } from './preferences.ts';
import { useScope } from './scope.ts';
import styles from './shell.module.css';
import { useShortcuts } from './use-shortcuts.ts';

const VIEWS = [
  ['/', 'Overview'],
  ['/alerts', 'Alerts'],
  ['/gpus', 'GPUs'],
  ['/metrics', 'Metrics'],
  ['/keys', 'Keys'],
] as const;

/** The frame of every view: navigation, scope, freshness of the data, preferences, user. */
export function Shell() {
  const [zone] = useTimeZone();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts(() => setHelpOpen(true));
  return (
    <TimeZoneContext value={zone}>
      <a className={styles.skip} href="#view">
        Skip to content
      </a>
      <header className={styles.header}>
        <Link to="/" className={styles.brand}>
          <img src="/dome.svg" alt="" width="22" height="22" />
          <span>GPU Observatory</span>
        </Link>
        <nav aria-label="Views">
          {VIEWS.map(([to, title]) => (
            <Link key={to} to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
              {title}
            </Link>
          ))}
        </nav>
        <div className={styles.tools}>
          <Freshness />
          <ScopePicker />
          <UserMenu onHelp={() => setHelpOpen(true)} />
        </div>
      </header>
      <main id="view" className={styles.view} tabIndex={-1}>
        <Outlet />
      </main>
      <Help isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </TimeZoneContext>
  );
}

const STALE_AFTER_MS = 2 * 60_000;

function Freshness() {
  const { dataAsOf, error } = usePulse(useScope());
  const nowMs = useNow();
  if (error) {
    return (
      <span className={styles.freshness} data-stale="true" role="status">
        not updating{dataAsOf === undefined ? '' : ', data as of '}
        {dataAsOf === undefined ? null : <Time iso={dataAsOf} />}
      </span>
    );
  }
  if (dataAsOf === undefined) return <span className={styles.freshness} />;
  return (
    <span className={styles.freshness} data-stale={nowMs - Date.parse(dataAsOf) > STALE_AFTER_MS}>
      data as of <Time iso={dataAsOf} />
    </span>
  );
}

function ScopePicker() {
  const services = useServices();
  const { data } = useQuery(workspacesQuery(services));
  const { customer, workspace } = useSearch({ strict: false });
  const navigate = useNavigate();
  const workspaces = data?.workspaces ?? [];
  const customers = [...new Map(workspaces.map((each) => [each.customer_id, each.customer_name]))];
  if (workspaces.length < 2) return null;
  const value = workspace ? `w${workspace}` : customer ? `c${customer}` : '';
  const select = (chosen: string) => {
    const id = chosen.slice(1);
    void navigate({
      to: '.',
      search: (search) => ({
        ...search,
        customer: chosen.startsWith('c') ? id : undefined,
        workspace: chosen.startsWith('w') ? id : undefined,
      }),
    });
  };
  return (
    <select
      className={styles.scope}
      aria-label="Scope"
      value={value}
      onChange={({ target }) => select(target.value)}
    >
      <option value="">All workspaces</option>
      {customers.map(([id, name]) => (
        <optgroup key={id} label={name}>
          {customers.length > 1 ? <option value={`c${id}`}>All of {name}</option> : null}
          {workspaces
            .filter(({ customer_id }) => customer_id === id)
            .map((each) => (
              <option key={each.id} value={`w${each.id}`}>
                {each.name}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}

const THEMES: [Theme, string][] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

function UserMenu({ onHelp }: { onHelp: () => void }) {
  const services = useServices();
  const { data } = useQuery(meQuery(services));
  const [theme, setTheme] = useTheme();
  const [zone, setZone] = useTimeZone();
  const [error, setError] = useState<string>();
  const user = data?.user;
  if (!user) return null;
  const signOut = () => {
    services.account.post('/api/v1/auth/logout').catch((failure: Error) => setError(failure.message));
  };
  return (
    <details className={styles.menu}>
      <summary aria-label={`Menu of ${user.name}`}>
        <span aria-hidden="true">{initials(user.name || user.email)}</span>
      </summary>
      <div className={styles.sheet}>
        <p>
          <strong>{user.name}</strong>
          <br />
          {user.email}
        </p>
        <fieldset>
          <legend>Theme</legend>
          {THEMES.map(([value, title]) => (
            <label key={value}>
              <input type="radio" name="theme" checked={theme === value} onChange={() => setTheme(value)} />
              {title}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>Times</legend>
          <label>
            <input type="radio" name="zone" checked={zone === 'local'} onChange={() => setZone('local')} />
            Local
          </label>
          <label>
            <input type="radio" name="zone" checked={zone === 'utc'} onChange={() => setZone('utc')} />
            UTC
          </label>
        </fieldset>
        <button type="button" onClick={onHelp}>
          Keyboard shortcuts
        </button>
        <button type="button" onClick={signOut}>
          Sign out
        </button>
        {error === undefined ? null : <p role="alert">{error}</p>}
      </div>
    </details>
  );
}

function initials(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join('');
}
