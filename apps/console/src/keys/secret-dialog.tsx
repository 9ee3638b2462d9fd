import { Dialog, DialogButtons, FormError } from '../parts/dialog.tsx';
import { AccessGuide } from './access-guide.tsx';
import styles from './keys.module.css';
import { useCopy } from './use-copy.ts';

export interface ShownSecret {
  id: number;
  name: string;
  workspaceName: string;
  key: string;
  /** Whether it replaces the secret of an existing key. */
  isReplacement: boolean;
  /** Whether the key may read the fleet data; an error if that could not be allowed or is not known. */
  mayRead: boolean | Error;
}

/** Shows a new secret. The service does not store it, so Esc does not close the dialog. */
export function SecretDialog({ secret, onClose }: { secret: ShownSecret; onClose: () => void }) {
  const { message, copy } = useCopy();
  const { mayRead } = secret;
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
      {mayRead instanceof Error ? (
        <>
          <p>The key exists, but whether it may read the fleet data is not known. See its access.</p>
          <FormError error={mayRead} />
        </>
      ) : null}
      {mayRead === true ? (
        <>
          <p>The key may read. Give id and key to a program as OAuth client:</p>
          <AccessGuide client={{ keyId: secret.id, secret: secret.key }} onCopy={copy} />
        </>
      ) : null}
      <DialogButtons>
        <span role="status">{message}</span>
        <button type="button" onClick={() => copy(secret.key)}>
          Copy
        </button>
        <button type="button" data-variant="primary" onClick={onClose}>
          I have stored it
        </button>
      </DialogButtons>
    </Dialog>
  );
}
