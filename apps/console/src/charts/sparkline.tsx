import styles from './sparkline.module.css';

/** A line of daily values; gaps where a value is null. */
export function Sparkline({ values, label }: { values: (number | null)[]; label: string }) {
  const known = values.filter((value) => value !== null);
  if (known.length < 2) return <span className={styles.none} />;
  const [min, max] = [Math.min(...known), Math.max(...known)];
  const span = max - min || 1;
  const step = 100 / (values.length - 1);
  let isOpen = false;
  const path = values
    .map((value, n) => {
      if (value === null) {
        isOpen = false;
        return '';
      }
      const command = isOpen ? 'L' : 'M';
      isOpen = true;
      return `${command}${(n * step).toFixed(2)} ${(26 - ((value - min) / span) * 24).toFixed(2)}`;
    })
    .join('');
  return (
    <svg
      className={styles.line}
      viewBox="0 0 100 28"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={path} />
    </svg>
  );
}
