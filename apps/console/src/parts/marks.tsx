import type { Health, Severity } from '../data/queries.ts';
import styles from './marks.module.css';

/** Most urgent first, as the API sorts them. */
export const HEALTHS = ['critical', 'degraded', 'missing', 'healthy'] as const satisfies Health[];

/** One outline per severity, so that color is not needed to distinguish them. */
const SEVERITY_SHAPES: Record<Severity, string> = {
  critical: 'M6 1 11 6 6 11 1 6Z',
  high: 'M6 1.5 11 10.5 1 10.5Z',
  medium: 'M2 2H10V10H2Z',
  low: 'M6 2a4 4 0 1 0 0 8a4 4 0 1 0 0-8Z',
  info: 'M2 6H10',
};
const HEALTH_SHAPES: Record<Health, string> = {
  critical: 'M6 1 11 6 6 11 1 6Z',
  degraded: 'M6 1.5 11 10.5 1 10.5Z',
  missing: 'M3 3 9 9M9 3 3 9',
  healthy: 'M6 2a4 4 0 1 0 0 8a4 4 0 1 0 0-8Z',
};

interface MarkProps {
  /** Hides the word from view; assistive technology still reads it. */
  iconOnly?: boolean;
}

export function SeverityMark({ severity, iconOnly = false }: MarkProps & { severity: Severity }) {
  return (
    <Mark
      word={severity}
      shape={SEVERITY_SHAPES[severity]}
      kind={`severity-${severity}`}
      iconOnly={iconOnly}
    />
  );
}

export function HealthMark({ health, iconOnly = false }: MarkProps & { health: Health }) {
  return <Mark word={health} shape={HEALTH_SHAPES[health]} kind={health} iconOnly={iconOnly} />;
}

function Mark({
  word,
  shape,
  kind,
  iconOnly,
}: {
  word: string;
  shape: string;
  kind: string;
  iconOnly: boolean;
}) {
  const isOutline = kind === 'missing' || kind === 'severity-info';
  return (
    <span className={styles.mark} data-kind={kind} {...(iconOnly && { title: word })}>
      <svg viewBox="0 0 12 12" aria-hidden="true" data-outline={isOutline}>
        <path d={shape} />
      </svg>
      <span className={iconOnly ? 'visually-hidden' : ''}>{word}</span>
    </span>
  );
}
