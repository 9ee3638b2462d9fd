import styles from './segmented.module.css';

interface SegmentedProps<Value extends string> {
  label: string;
  options: readonly (readonly [value: Value, title: string])[];
  selected: Value;
  onSelect: (value: Value) => void;
}

/** A group of buttons, one of which is pressed. */
export function Segmented<Value extends string>({
  label,
  options,
  selected,
  onSelect,
}: SegmentedProps<Value>) {
  return (
    <span role="group" aria-label={label} className={styles.group}>
      {options.map(([value, title]) => (
        <button key={value} type="button" aria-pressed={value === selected} onClick={() => onSelect(value)}>
          {title}
        </button>
      ))}
    </span>
  );
}
