import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

export const SHORTCUTS = [
  ['g o', 'Overview'],
  ['g a', 'Alerts'],
  ['g g', 'GPUs'],
  ['g m', 'Metrics'],
  ['g k', 'Keys'],
  ['/', 'Search in this view'],
  ['j, k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close a panel'],
  ['?', 'This help'],
] as const;

const TARGETS = { o: '/', a: '/alerts', g: '/gpus', m: '/metrics', k: '/keys' } as const;
const SEQUENCE_MS = 1_000;

/** Handles `g` sequences, `/` and `?` anywhere outside text fields. Views handle `j`, `k`, Enter and Esc. */
export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate();
  useEffect(() => {
    let sequenceStartMs = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTextField(event.target)) {
        // Without this, the next `j` would be text.
        if (event.key === 'Escape') event.target.blur();
        return;
      }
      const target = TARGETS[event.key as keyof typeof TARGETS];
      if (target !== undefined && event.timeStamp - sequenceStartMs < SEQUENCE_MS) {
        sequenceStartMs = -Infinity;
        event.preventDefault();
        void navigate({ to: target });
      } else if (event.key === 'g') sequenceStartMs = event.timeStamp;
      else if (event.key === '?') onHelp();
      else if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('input[type=search]');
        if (!search) return;
        event.preventDefault();
        search.focus();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, onHelp]);
}

/** Whether the element handles typed keys, which shortcuts then ignore. */
export function isTextField(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}
