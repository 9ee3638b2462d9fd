import { useState } from 'react';
import { Dialog, DialogButtons } from '../parts/dialog.tsx';
import styles from './keys.module.css';

export interface ShownSecret {
  name: string;
  workspaceName: string;
  key: string;
  /** Whether it replaces the secret of an existing key. */
  isReplacement: boolean;
}

/** Shows a new secret. The service does not store it, so Esc does not close the dialog. */
export function SecretDialog({ secret, onClose }: { secret: ShownSecret; onClose: () => void }) {
  const [message, setMessage] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret.key);
      setMessage('Copied.');
    } catch {
      setMessage('The browser did not allow access to the clipboard: select the key and copy it.');
    }
  };
  return (
    <Dialog title={secret.isReplacement ? `New secret of “${secret.name}”` : `“${secret.name}” is ready`}>
      <p>
        Workspace <bdi>{secret.workspaceName}</bdi>.
      </p>
      <p>
        Copy the key now. It is shown only this once; after that, only its last four characters are.
        {secret.isReplacement ? ' Configure your agents with it: the old secret has stopped working.' : ''}
      </p>
      <p className={styles.secret} data-testid="secret">
        {secret.key}
      </p>
      <DialogButtons>
        <span role="status">{message}</span>
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
        <button type="button" data-variant="primary" onClick={onClose}>
          I have stored it
        </button>
      </DialogButtons>
    </Dialog>
  );
}
