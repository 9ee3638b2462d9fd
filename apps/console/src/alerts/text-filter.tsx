import { useEffect, useRef, useState } from 'react';
import type { TextField } from './filters.ts';
import list from '../parts/list-view.module.css';

const PAUSE_MS = 250;
const LABELS: Record<TextField, string> = {
  title: 'Title contains',
  description: 'Description contains',
  hostname: 'Host contains',
};

interface TextFilterProps {
  field: TextField;
  value: string;
  onChange: (value: string) => void;
}

/** A text filter that applies after a pause in typing. */
export function TextFilter({ field, value, onChange }: TextFilterProps) {
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
    <label className={list.text}>
      {LABELS[field]}
      <input
        type={field === 'title' ? 'search' : 'text'}
        value={text}
        maxLength={200}
        onChange={({ target }) => setText(target.value)}
      />
    </label>
  );
}
