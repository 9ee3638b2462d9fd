import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { describeError } from './states.tsx';
import styles from './dialog.module.css';

/** A modal dialog that is open for as long as it is rendered. */
export function Dialog({
  title,
  isSheet = false,
  onClose,
  children,
}: {
  title: string;
  /** Whether it covers the whole screen: a bar with the title and a button that closes it, and the content below. */
  isSheet?: boolean;
  /** Called on Esc. Without it, Esc does nothing and only the buttons of the dialog close it. */
  onClose?: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current as HTMLDialogElement;
    element.showModal();
    // While the dialog is still in the document, so that the focus returns to where it was.
    return () => element.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isSheet ? styles.sheet : styles.dialog}
      aria-labelledby="dialog-title"
      // Without the default, closing is left to the parent, which stops rendering the dialog.
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      // Chromium closes the dialog on a second Esc without a cancel event that can be prevented.
      onClose={({ currentTarget }) => {
        if (!onClose && currentTarget.isConnected && !currentTarget.open) currentTarget.showModal();
      }}
    >
      {isSheet ? (
        // No header element: it would be a landmark of the page.
        <div className={styles.bar}>
          <h2 id="dialog-title">{title}</h2>
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      ) : (
        <h2 id="dialog-title">{title}</h2>
      )}
      {children}
    </dialog>
  );
}

/** The buttons of a dialog: `data-variant` is `primary` or `danger` for the one that acts. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
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
