import type { ReactNode } from 'react';
import type { Fault } from '../data/fault.ts';
import { HealthEvidence } from './health-evidence.tsx';
import { Time } from './time.tsx';
import styles from './fault-text.module.css';

/** A fault of a GPU: what happened, since when and until when, and what to do. */
export function FaultText({
  fault: { sentence, instruction, since, earlierSince, end },
  children,
}: {
  fault: Fault;
  /** Continues the sentence, such as the GPUs that have the fault. */
  children?: ReactNode;
}) {
  return (
    <div>
      <strong>
        <HealthEvidence text={sentence} />
      </strong>{' '}
      {children}
      <span className={styles.quiet}>
        Began <Time iso={since} />
        {earlierSince === undefined ? (
          '.'
        ) : (
          <>
            ; another fault of this kind began <Time iso={earlierSince} />.
          </>
        )}{' '}
        <End end={end} />
      </span>
      {instruction === undefined ? null : (
        <p className={styles.instruction}>
          <strong>What to do:</strong> {instruction}
        </p>
      )}
    </div>
  );
}

function End({ end }: { end: Fault['end'] }) {
  switch (end.kind) {
    case 'never':
      return 'It does not end by itself.';
    case 'report':
      return 'It ends when the GPU reports again.';
    case 'xid':
      return (
        <>
          It counts until ten minutes after a reset, otherwise until <Time iso={end.at} exact />.
        </>
      );
    case 'clean':
      return (
        <>
          It ends <Time iso={end.at} /> unless it is seen again.
        </>
      );
  }
}
