import { type ReactNode, useRef } from 'react';
import styles from './menu.module.css';
import { useClosing } from './use-closing.ts';

interface MenuProps {
  title: string;
  /** Closes the menu with the function that it receives. */
  children: (close: () => void) => ReactNode;
}

/** A button that opens a small sheet below it. */
export function Menu({ title, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = useClosing(menu);
  return (
    <details ref={menu} className={styles.menu}>
      <summary>{title}</summary>
      <div className={styles.sheet}>{children(close)}</div>
    </details>
  );
}
