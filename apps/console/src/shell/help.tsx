import { Dialog, DialogButtons } from '../parts/dialog.tsx';
import styles from './help.module.css';
import { SHORTCUTS } from './use-shortcuts.ts';

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className={styles.shortcuts}>
        {SHORTCUTS.map(([keys, action]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <DialogButtons>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </DialogButtons>
    </Dialog>
  );
}
