import { useState } from 'react';
import styles from './keys.module.css';
import type { ReadAccess } from './read-access.ts';

/** The fields of a form for `readAccessIn`. */
export function ReadAccessFields({ initial }: { initial: ReadAccess }) {
  const [mayRead, setMayRead] = useState(initial.mayRead);
  return (
    <fieldset className={styles.access}>
      <legend>Access to the fleet data</legend>
      <label>
        <input
          type="checkbox"
          name="may_read"
          checked={mayRead}
          onChange={({ target }) => setMayRead(target.checked)}
        />
        May read the alerts, GPUs and metrics of its workspace
      </label>
      {mayRead ? (
        <label>
          <input type="checkbox" name="all_workspaces" defaultChecked={initial.allWorkspaces} />
          Of all workspaces (only administrators can allow it)
        </label>
      ) : null}
    </fieldset>
  );
}
