import { useState } from 'react';

/** Copies texts to the clipboard, with a message about the last one. */
export function useCopy(): { message: string; copy: (text: string) => void } {
  const [message, setMessage] = useState('');
  const write = async (text: string) => {
    try {
      await navigator.clipboard.writeText(text);
      setMessage('Copied.');
    } catch {
      setMessage('The browser did not allow access to the clipboard: select the text and copy it.');
    }
  };
  return { message, copy: (text) => void write(text) };
}
