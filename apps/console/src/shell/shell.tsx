import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import type { TimeZone } from '../data/format.ts';
import { OutageContext, repeatFailed, useOutageError } from '../data/outage.ts';
import { PulseContext } from '../data/pulse-context.ts';
import { type Pulse, usePulse } from '../data/use-pulse.ts';
import { TimeZoneContext } from '../parts/time.tsx';
import { Freshness } from './freshness.tsx';
import { Help } from './help.tsx';
import { OutageBanner } from './outage-banner.tsx';
import { useTimeZone } from './preferences.ts';
import { ScopePicker } from './scope-picker.tsx';
import { useScope } from './scope.ts';
import { ScopedView } from './scoped-view.tsx';
import styles from './shell.module.css';
import { useShortcuts } from './use-shortcuts.ts';
import { UserMenu } from './user-menu.tsx';

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
  const queryClient = useQueryClient();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const outage = useOutageError();
  const openHelp = useCallback(() => setHelpOpen(true), []);
  const pulse = usePulse(useScope());
  useShortcuts(openHelp);
  return (
    <Providers zone={zone} pulse={pulse} outage={outage}>
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
          <UserMenu onHelp={openHelp} />
        </div>
      </header>
      <main id="view" className={styles.view} tabIndex={-1}>
        {outage === undefined ? null : (
          <OutageBanner key={String(outage)} error={outage} onRetry={() => repeatFailed(queryClient)} />
        )}
        <ScopedView />
      </main>
      {isHelpOpen ? <Help onClose={() => setHelpOpen(false)} /> : null}
    </Providers>
  );
}

interface ProvidersProps {
  zone: TimeZone;
  pulse: Pulse;
  outage: Error | undefined;
  children: ReactNode;
}

function Providers({ zone, pulse, outage, children }: ProvidersProps) {
  return (
    <TimeZoneContext value={zone}>
      <PulseContext value={pulse}>
        <OutageContext value={outage}>{children}</OutageContext>
      </PulseContext>
    </TimeZoneContext>
  );
}
