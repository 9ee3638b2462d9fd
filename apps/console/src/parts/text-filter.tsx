import { useEffect, useRef, useState } from 'react';
import styles from './text-filter.module.css';

const PAUSE_MS = 250;

interface TextFilterProps {
  label: string;
  value: string;
  /** Whether `/` moves the focus here; at most one of a view. */
  isSearch?: boolean;
  onChange: (value: string) => void;
}

/** A text filter that applies after a pause in typing. */
export function TextFilter({ label, value, isSearch = false, onChange }: TextFilterProps) {
  const [text, setText] = useState(value);
  const applied = useRef(value);
  const apply = useRef(onChange);
  apply.current = onChange;
  // The URL changed elsewhere: back, forward or "Clear filters".
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === applied.current) return;
    const timer = setTimeout(() => {
      applied.current = text;
      apply.current(text);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className={styles.text}>
      {label}
      <input
        type={isSearch ? 'search' : 'text'}
        value={text}
        maxLength={200}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}
