import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { TEXT_OPERATORS, type TextOperator } from './text-operator.ts';
import styles from './text-filter.module.css';

const PAUSE_MS = 250;

interface TextFilterProps {
  label: string;
  value: string;
  /** Whether `/` moves the focus here; at most one of a view. */
  isSearch?: boolean;
  onChange: (value: string) => void;
  /** The choice of the operator, next to the label. */
  children?: ReactNode;
}

/** A text filter that applies after a pause in typing. */
export function TextFilter({ label, value, isSearch = false, onChange, children }: TextFilterProps) {
  const id = useId();
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
    <div className={styles.text}>
      <div className={styles.label}>
        <label htmlFor={id}>{label}</label>
        {children}
      </div>
      <input
        id={id}
        type={isSearch ? 'search' : 'text'}
        value={text}
        maxLength={200}
        onChange={({ target }) => setText(target.value)}
      />
    </div>
  );
}

interface OperatorProps {
  /** Label of the text filter. */
  label: string;
  operator: TextOperator;
  onChange: (operator: TextOperator) => void;
}

/** The operator of a text filter. */
export function Operator({ label, operator, onChange }: OperatorProps) {
  return (
    <select
      aria-label={`Operator of ${label}`}
      value={operator}
      onChange={({ target }) => onChange(target.value as TextOperator)}
    >
      {Object.entries(TEXT_OPERATORS).map(([value, title]) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  );
}
