import type { ApiKey } from '../data/queries.ts';
import { Dialog, DialogButtons, FormError } from '../parts/dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  /** The key that changes. Its name alone does not identify it. */
  apiKey: ApiKey;
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
  apiKey,
  consequence,
  action,
  isPending,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        Key …{apiKey.key.slice(-4)} of workspace <bdi>{apiKey.workspace_name}</bdi>.
      </p>
      <p>{consequence}</p>
      <FormError error={error} />
      <DialogButtons>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" data-variant="danger" disabled={isPending} onClick={onConfirm}>
          {action}
        </button>
      </DialogButtons>
    </Dialog>
  );
}
