import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

export const SHORTCUTS = [
  ['Ctrl K', 'Find a host, GPU, alert or view'],
  ['g o', 'Overview'],
  ['g a', 'Alerts'],
  ['g h', 'Hosts'],
  ['g g', 'GPUs'],
  ['g x', 'XIDs'],
  ['g u', 'Usage'],
  ['g m', 'Metrics'],
  ['g k', 'Keys'],
  ['/', 'Search in this view, or everywhere'],
  ['j, k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row, to copy it'],
  ['Esc', 'Close a panel'],
  ['?', 'This help'],
] as const;

const TARGETS = {
  o: '/',
  a: '/alerts',
  h: '/hosts',
  g: '/gpus',
  x: '/xids',
  u: '/usage',
  m: '/metrics',
  k: '/keys',
} as const;
const SEQUENCE_MS = 1_000;

interface ShortcutActions {
  onHelp: () => void;
  /** Opens the search over everything. */
  onFind: () => void;
}

/**
 * Handles Ctrl-K everywhere but in dialogs, and `g` sequences, `/` and `?` outside text fields. Views handle `j`, `k`,
 * Enter and Esc.
 */
export function useShortcuts({ onHelp, onFind }: ShortcutActions): void {
  const navigate = useNavigate();
  useEffect(() => {
    let sequenceStartMs = -Infinity;
    const onKey = (event: KeyboardEvent) => {
      if (isFindKey(event) && !isDialogOpen()) {
        event.preventDefault();
        onFind();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTextField(event.target)) {
        // Without this, the next `j` would be text.
        if (event.key === 'Escape') event.target.blur();
        return;
      }
      if (isDialogOpen()) return;
      const target = TARGETS[event.key as keyof typeof TARGETS];
      if (target !== undefined && event.timeStamp - sequenceStartMs < SEQUENCE_MS) {
        sequenceStartMs = -Infinity;
        event.preventDefault();
        void navigate({ to: target });
      } else if (event.key === 'g') sequenceStartMs = event.timeStamp;
      else if (event.key === '?') onHelp();
      else if (event.key === '/') {
        event.preventDefault();
        const search = document.querySelector<HTMLInputElement>('input[type=search]');
        if (search) search.focus();
        else onFind();
      }
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('change', leaveSelect);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('change', leaveSelect);
    };
  }, [navigate, onHelp, onFind]);
}

/** Ctrl-K, or Command-K on a Mac. */
function isFindKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key === 'k' && (ctrlKey || metaKey) && !altKey && !shiftKey;
}

/** Takes the focus from a list of options that a pointer used: the next key is a shortcut and selects no option. */
function leaveSelect({ target }: Event): void {
  if (target instanceof HTMLSelectElement && !target.matches(':focus-visible')) target.blur();
}

/** Types of inputs that ignore letters. */
const INPUTS_WITHOUT_TEXT = new Set(['button', 'checkbox', 'radio', 'range', 'reset', 'submit']);

/** Whether the element handles typed letters, which shortcuts then ignore. A list of options selects by them. */
export function isTextField(target: EventTarget | null): target is HTMLElement {
  const { tagName, type = '', isContentEditable } = (target ?? {}) as Partial<HTMLInputElement>;
  if (tagName === 'INPUT') return !INPUTS_WITHOUT_TEXT.has(type);
  return tagName === 'TEXTAREA' || tagName === 'SELECT' || isContentEditable === true;
}

/** Whether a dialog covers the view, which then handles no keys. */
export function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
