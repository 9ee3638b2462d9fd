import type { ApiKey } from '../data/queries.ts';
import { Time } from '../parts/time.tsx';
import styles from './keys.module.css';

interface KeyTableProps {
  keys: ApiKey[];
  mayChange: (key: ApiKey) => boolean;
  onAccess: (key: ApiKey) => void;
  onRotate: (key: ApiKey) => void;
  onDelete: (key: ApiKey) => void;
}

export function KeyTable({ keys, mayChange, onAccess, onRotate, onDelete }: KeyTableProps) {
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>Name</th>
            <th>Key</th>
            <th>Workspace</th>
            <th>Status</th>
            <th>Expires</th>
            <th>Last used</th>
            <th>Created</th>
            <th>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">
                <bdi>{key.name}</bdi>
                {key.description === '' ? null : (
                  <small>
                    <bdi>{key.description}</bdi>
                  </small>
                )}
              </th>
              {/* The API returns the last four characters; the others are asterisks. */}
              <td className={styles.code} data-label="Key">
                <span>…{key.key.slice(-4)}</span>
              </td>
              <td className={styles.workspace} data-label="Workspace">
                <bdi>{key.workspace_name}</bdi>
              </td>
              <td data-label="Status">{statusOf(key)}</td>
              <td data-label="Expires">{key.expires_at === '' ? 'never' : <Time iso={key.expires_at} />}</td>
              <td data-label="Last used">
                {key.last_used_at === '' ? 'never' : <Time iso={key.last_used_at} />}
              </td>
              <td data-label="Created">
                <Time iso={key.created_at} />
              </td>
              <td className={styles.actions}>
                <button
                  type="button"
                  onClick={() => onAccess(key)}
                  aria-label={`Access of ${describeKey(key)}`}
                >
                  Access
                </button>
                {mayChange(key) ? (
                  <>
                    <button
                      type="button"
                      onClick={() => onRotate(key)}
                      aria-label={`Rotate ${describeKey(key)}`}
                    >
                      Rotate
                    </button>
                    <button
                      type="button"
                      onClick={() => onDelete(key)}
                      aria-label={`Delete ${describeKey(key)}`}
                    >
                      Delete
                    </button>
                  </>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Distinguishes keys of the same name. */
function describeKey({ name, key, workspace_name }: ApiKey): string {
  return `${name}, …${key.slice(-4)}, workspace ${workspace_name}`;
}

function statusOf({ is_active, expires_at }: ApiKey): string {
  if (expires_at !== '' && Date.parse(expires_at) <= Date.now()) return 'expired';
  return is_active ? 'active' : 'inactive';
}
