import { describeError } from '../parts/states.tsx';
import { Dialog } from './dialog.tsx';
import styles from './keys.module.css';

interface ConfirmDialogProps {
  title: string;
  /** What happens to agents and people. */
  consequence: string;
  action: string;
  isPending: boolean;
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({
  title,
  consequence,
  action,
  isPending,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{consequence}</p>
      <FormError error={error} />
      <div className={styles.buttons}>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className={styles.danger} disabled={isPending} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}

export function FormError({ error }: { error: Error | null }) {
  if (error === null) return null;
  const { title, detail } = describeError(error);
  return (
    <p role="alert" className={styles.error}>
      {title} {detail}
    </p>
  );
}
