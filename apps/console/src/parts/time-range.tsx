import { type FormEvent, use, useEffect, useRef, useState } from 'react';
import { formatDateTime, type TimeZone, zoneName } from '../data/format.ts';
import { relativeWindowOf, type WINDOW_PARAMETERS, windowMsOf, windowName } from '../data/window.ts';
import type { Search } from '../search.ts';
import segmented from './segmented.module.css';
import { TimeZoneContext } from './time.tsx';
import styles from './time-range.module.css';

/** The window of a view. All are undefined for the one that it has without a choice. */
export type WindowChoice = Record<(typeof WINDOW_PARAMETERS)[number], string | undefined>;

interface TimeRangeProps {
  search: Search;
  /** Relative windows with a button. */
  presets?: readonly string[];
  /** The window without a choice; undefined for all times. */
  initial?: string;
  onChange: (choice: WindowChoice) => void;
}

const PRESETS = ['1h', '6h', '24h', '7d', '30d'];

/** The time window of a view: relative windows, which move, or exact times in the chosen zone. */
export function TimeRange({ search, presets = PRESETS, initial, onChange }: TimeRangeProps) {
  const [isExact, setExact] = useState(false);
  const zone = use(TimeZoneContext);
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isExact) return;
    const onPointer = ({ target }: PointerEvent) => {
      if (!container.current?.contains(target as Node)) setExact(false);
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, [isExact]);
  const { from, to } = search;
  const hasTimes = relativeWindowOf(search) === undefined && Boolean(from || to);
  const selected = relativeWindowOf(search) ?? (hasTimes ? undefined : initial);
  const isOther = hasTimes || (selected !== undefined && !presets.includes(selected));
  const select = (window: string | undefined) =>
    onChange({ window: window === initial ? undefined : window, from: undefined, to: undefined });
  return (
    <div
      ref={container}
      className={`${segmented.group} ${styles.range}`}
      role="group"
      aria-label="Time range"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isExact) return;
        // Esc closes only the innermost element.
        event.nativeEvent.stopImmediatePropagation();
        setExact(false);
      }}
    >
      {initial === undefined ? (
        <button
          type="button"
          aria-pressed={selected === undefined && !hasTimes}
          onClick={() => select(undefined)}
        >
          All
        </button>
      ) : null}
      {presets.map((window) => (
        <button
          key={window}
          type="button"
          aria-pressed={window === selected}
          title={`Last ${windowName(window)}`}
          onClick={() => select(window)}
        >
          {shortName(window)}
        </button>
      ))}
      <button type="button" aria-expanded={isExact} aria-pressed={isOther} onClick={() => setExact(!isExact)}>
        {hasTimes ? rangeText(from, to, zone) : isOther ? windowName(selected ?? '') : 'Exact…'}
      </button>
      {isExact ? (
        <ExactRange
          from={hasTimes ? fieldText(from, zone) : selected}
          to={hasTimes ? fieldText(to, zone) : undefined}
          zone={zone}
          onSubmit={(choice) => {
            setExact(false);
            if (choice.window === undefined && !choice.from && !choice.to) select(undefined);
            else onChange(choice);
          }}
        />
      ) : null}
    </div>
  );
}

interface ExactRangeProps {
  /** Texts of the fields. */
  from: string | undefined;
  to: string | undefined;
  zone: TimeZone;
  onSubmit: TimeRangeProps['onChange'];
}

function ExactRange({ from, to, zone, onSubmit }: ExactRangeProps) {
  const [error, setError] = useState<string>();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [begin, end] = [textOf(fields.get('from')), textOf(fields.get('to'))];
    if (windowMsOf(begin) !== undefined && end === undefined) {
      return onSubmit({ window: begin, from: undefined, to: undefined });
    }
    const [fromIso, toIso] = [parse(begin, zone), parse(end, zone)];
    if (fromIso === null || toIso === null) {
      return setError('Write times as 2026-11-22 14:00 or, for the last 36 hours, 36h. Units: m, h, d, w.');
    }
    if (fromIso && toIso && fromIso > toIso) return setError('The start must not be later than the end.');
    onSubmit({ window: undefined, from: fromIso, to: toIso });
  };
  const zoneTitle = zone === 'utc' ? 'UTC' : `local time, ${zoneName(Date.now(), zone)}`;
  return (
    <form className={styles.exact} onSubmit={submit} noValidate>
      <label>
        From ({zoneTitle}), or last
        <input ref={first} name="from" defaultValue={from} placeholder="2026-11-22 14:00 or 36h" />
      </label>
      <label>
        To ({zoneTitle})
        <input name="to" defaultValue={to} placeholder="now" />
      </label>
      <button type="submit">Apply</button>
      {error === undefined ? null : <p role="alert">{error}</p>}
    </form>
  );
}

/** Returns undefined for an empty field and for `now`. */
function textOf(value: FormDataEntryValue | null): string | undefined {
  const text = String(value ?? '').trim();
  return text === '' || text === 'now' ? undefined : text;
}

/** @returns RFC 3339; undefined for an empty field, null for anything that is not a time */
function parse(text: string | undefined, zone: TimeZone): string | undefined | null {
  if (text === undefined) return undefined;
  if (!/^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2})?)?$/.test(text)) return null;
  const date = new Date(
    `${text.replace(' ', 'T')}${text.length === 10 ? 'T00:00' : ''}${zone === 'utc' ? 'Z' : ''}`,
  );
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Returns `24 h` for `24h`. */
function shortName(window: string): string {
  return `${window.slice(0, -1)} ${window.slice(-1)}`;
}

function fieldText(iso: string | undefined, zone: TimeZone): string | undefined {
  return iso !== undefined && Number.isFinite(Date.parse(iso))
    ? formatDateTime(Date.parse(iso), zone).slice(0, 16)
    : undefined;
}

function rangeText(from: string | undefined, to: string | undefined, zone: TimeZone): string {
  const short = (iso: string | undefined) => fieldText(iso, zone)?.slice(5) ?? 'not a time';
  const zoneOf = (iso: string | undefined) => {
    const ms = Date.parse(iso ?? '');
    return Number.isFinite(ms) ? ` ${zoneName(ms, zone)}` : '';
  };
  if (from === undefined) return `until ${short(to)}${zoneOf(to)}`;
  if (to === undefined) return `since ${short(from)}${zoneOf(from)}`;
  // Daylight saving may begin or end in between.
  const isOneZone = zoneOf(from) === zoneOf(to);
  return `${short(from)}${isOneZone ? '' : zoneOf(from)} to ${short(to)}${zoneOf(to)}`;
}
