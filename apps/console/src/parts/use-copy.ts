import { useEffect, useState } from 'react';

const SHOWN_MS = 2_000;

/** Copies texts. Returns what happened, for a status that disappears, and the function. */
export function useCopy(): [status: string | undefined, copy: (text: string, done: string) => Promise<void>] {
  const [status, setStatus] = useState<string>();
  useEffect(() => {
    if (status === undefined) return;
    const timer = setTimeout(() => setStatus(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [status]);
  const copy = async (text: string, done: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setStatus(done);
    } catch {
      setStatus('The browser did not allow access to the clipboard.');
    }
  };
  return [status, copy];
}
