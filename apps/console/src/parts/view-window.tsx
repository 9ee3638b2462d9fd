import { useNavigate, useSearch } from '@tanstack/react-router';
import { use } from 'react';
import { HOUR_MS, MINUTE_MS } from '../data/durations.ts';
import { PulseContext } from '../data/pulse-context.ts';
import { isoOf, windowMsOf } from '../data/window.ts';
import type { Search } from '../search.ts';
import { Segmented } from './segmented.tsx';

const WINDOWS = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const;
type WindowName = (typeof WINDOWS)[number][0];

/** The relative window of a view, `?window=7d`. */
export interface ViewWindow {
  name: WindowName;
  /** In words: `7 days`. */
  title: string;
  fromMs: number;
  /** The current time, in the steps in which the window moves. */
  toMs: number;
  from: string;
  /** Start of the window of the same length before this one. */
  previousFrom: string;
}

/** Returns the window of the URL. */
export function useViewWindow(initial: WindowName): ViewWindow {
  const { window } = useSearch({ strict: false }) as Search;
  const [name, title] =
    WINDOWS.find(([each]) => each === window) ?? WINDOWS.find(([each]) => each === initial)!;
  const toMs = useSteppedNow(name === '24h' ? 5 * MINUTE_MS : HOUR_MS);
  const lengthMs = windowMsOf(name) as number;
  const fromMs = toMs - lengthMs;
  return { name, title, fromMs, toMs, from: isoOf(fromMs), previousFrom: isoOf(fromMs - lengthMs) };
}

/**
 * Returns the current time in whole steps, so that the URL of a request stays the same, and its response cached. It moves
 * with the polls, which a hidden tab does not send.
 */
export function useSteppedNow(stepMs: number): number {
  const { confirmedAtMs = Date.now() } = use(PulseContext);
  return Math.floor(confirmedAtMs / stepMs) * stepMs;
}

/** Chooses the window of a view; that of the view by default is not in the URL. */
export function WindowPicker({ initial }: { initial: WindowName }) {
  const navigate = useNavigate();
  const { name } = useViewWindow(initial);
  return (
    <Segmented
      label="Window"
      options={WINDOWS}
      selected={name}
      onSelect={(value) =>
        void navigate({
          to: '.',
          search: (search) => ({ ...search, window: value === initial ? undefined : value }),
          resetScroll: false,
        })
      }
    />
  );
}
