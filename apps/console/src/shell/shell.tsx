import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import type { TimeZone } from '../data/format.ts';
import { OutageContext, repeatFailed, useOutageError } from '../data/outage.ts';
import { PulseContext } from '../data/pulse-context.ts';
import { type Pulse, usePulse } from '../data/use-pulse.ts';
import { loadChunk } from '../parts/chunk-error.ts';
import { TimeZoneContext } from '../parts/time.tsx';
import { Freshness } from './freshness.tsx';
import { Help } from './help.tsx';
import { OutageBanner } from './outage-banner.tsx';
import { useTimeZone } from './preferences.ts';
import { ScopePicker } from './scope-picker.tsx';
import { useScope } from './scope.ts';
import { ScopedView } from './scoped-view.tsx';
import styles from './shell.module.css';
import { useRenderedView } from './use-rendered-view.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { UserMenu } from './user-menu.tsx';

const loadPalette = () => loadChunk(() => import('../palette/palette.tsx'));
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));

/** Time after which the palette is loaded, so that the keys typed after Ctrl-K are not lost while it loads. */
const PALETTE_DELAY_MS = 2_000;

const VIEWS = [
  ['/', 'Overview'],
  ['/alerts', 'Alerts'],
  ['/hosts', 'Hosts'],
  ['/gpus', 'GPUs'],
  ['/xids', 'XIDs'],
  ['/usage', 'Usage'],
  ['/metrics', 'Metrics'],
  ['/keys', 'Keys'],
] as const;

/** The frame of every view: navigation, scope, freshness of the data, preferences, user. */
export function Shell() {
  const [zone] = useTimeZone();
  const queryClient = useQueryClient();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const outage = useOutageError();
  const openHelp = useCallback(() => setHelpOpen(true), []);
  const openPalette = useCallback(() => setPaletteOpen(true), []);
  const pulse = usePulse(useScope());
  useShortcuts({ onHelp: openHelp, onFind: openPalette });
  useRenderedView();
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PALETTE_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
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
          <button type="button" className={styles.find} aria-keyshortcuts="Control+K" onClick={openPalette}>
            Find <kbd>Ctrl K</kbd>
          </button>
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
      {isPaletteOpen ? (
        <Suspense fallback={null}>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      ) : null}
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
