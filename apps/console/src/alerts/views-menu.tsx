import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Menu } from '../parts/menu.tsx';
import type { Search } from '../search.ts';
import styles from './list-bar.module.css';
import { useSavedViews } from './saved-views.ts';

/** The saved views of this browser, and a field to save the current one. */
export function ViewsMenu({ current }: { current: Search }) {
  const { views, save, remove } = useSavedViews();
  const [error, setError] = useState<string>();
  return (
    <Menu title="Views">
      {(close) => {
        const submit = (event: FormEvent<HTMLFormElement>) => {
          event.preventDefault();
          const name = String(new FormData(event.currentTarget).get('name')).trim();
          if (name === '') return setError('Name the view first.');
          setError(undefined);
          event.currentTarget.reset();
          save({ name, search: current });
        };
        return (
          <>
            {views.length === 0 ? (
              <p className={styles.quiet}>Saved in this browser: filters, window, order and columns.</p>
            ) : (
              <ul className={styles.views}>
                {views.map(({ name, search }) => (
                  <li key={name}>
                    <Link to="/alerts" search={search} onClick={close}>
                      <bdi>{name}</bdi>
                    </Link>
                    <button
                      type="button"
                      aria-label={`Delete the view ${name}`}
                      onClick={({ currentTarget }) => {
                        // The button that has the focus disappears.
                        currentTarget.closest('details')?.querySelector('summary')?.focus();
                        remove(name);
                      }}
                    >
                      ×
                    </button>
                  </li>
                ))}
              </ul>
            )}
            <form className={styles.save} onSubmit={submit}>
              <input name="name" aria-label="Name of the view" placeholder="Save as…" maxLength={60} />
              <button type="submit">Save</button>
              {error === undefined ? null : <p role="alert">{error}</p>}
            </form>
          </>
        );
      }}
    </Menu>
  );
}
