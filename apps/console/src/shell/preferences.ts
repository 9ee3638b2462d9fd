import { useSyncExternalStore } from 'react';
import type { TimeZone } from '../data/format.ts';

export type Theme = 'system' | 'light' | 'dark';

const THEME = 'theme';
const TIME_ZONE = 'time-zone';
const listeners = new Set<() => void>();

export function storedTheme(): Theme {
  const theme = localStorage.getItem(THEME);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function store(name: string, value: string): void {
  localStorage.setItem(name, value);
  if (name === THEME) applyTheme(value as Theme);
  listeners.forEach((notify) => notify());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, storedTheme), (theme) => store(THEME, theme)];
}

export function useTimeZone(): [TimeZone, (zone: TimeZone) => void] {
  const zone = useSyncExternalStore(subscribe, () =>
    localStorage.getItem(TIME_ZONE) === 'utc' ? 'utc' : 'local',
  );
  return [zone, (value) => store(TIME_ZONE, value)];
}

/** Returns the current value of a color token, for canvas drawing. */
export function tokenColor(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** Changes whenever the drawn colors do: on a theme switch or a system preference change. */
export function useColorVersion(): string {
  const system = useSyncExternalStore(
    (notify) => {
      const media = window.matchMedia('(prefers-color-scheme: dark)');
      media.addEventListener('change', notify);
      return () => media.removeEventListener('change', notify);
    },
    () => String(window.matchMedia('(prefers-color-scheme: dark)').matches),
  );
  const theme = useSyncExternalStore(subscribe, storedTheme);
  return `${theme} ${system}`;
}
