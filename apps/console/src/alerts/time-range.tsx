import { type FormEvent, use, useEffect, useRef, useState } from 'react';
import { HOUR_MS } from '../data/durations.ts';
import { formatDateTime, type TimeZone, zoneName } from '../data/format.ts';
import { TimeZoneContext } from '../parts/time.tsx';
import type { Search } from '../search.ts';
import segmented from '../parts/segmented.module.css';
import styles from './time-range.module.css';

const PRESETS = [
  ['1 h', HOUR_MS],
  ['6 h', 6 * HOUR_MS],
  ['24 h', 24 * HOUR_MS],
  ['7 d', 7 * 24 * HOUR_MS],
  ['30 d', 30 * 24 * HOUR_MS],
] as const;

interface TimeRangeProps {
  search: Search;
  onChange: (range: { from: string | undefined; to: string | undefined }) => void;
}

/** The time window of a view: presets, or exact times in the chosen zone. */
export function TimeRange({ search: { from, to }, onChange }: TimeRangeProps) {
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
  const isPresetRange = PRESETS.some(([, windowMs]) => isPreset(from, to, windowMs));
  const isExactRange = (from !== undefined || to !== undefined) && !isPresetRange;
  const select = (windowMs: number) => {
    // Whole minutes keep the URL of a request the same for a minute, and its response cached.
    const fromMs = Math.floor((Date.now() - windowMs) / 60_000) * 60_000;
    onChange({ from: new Date(fromMs).toISOString(), to: undefined });
  };
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
      <button
        type="button"
        aria-pressed={!from && !to}
        onClick={() => onChange({ from: undefined, to: undefined })}
      >
        All
      </button>
      {PRESETS.map(([title, windowMs]) => (
        <button
          key={title}
          type="button"
          aria-pressed={isPreset(from, to, windowMs)}
          onClick={() => select(windowMs)}
        >
          {title}
        </button>
      ))}
      <button
        type="button"
        aria-expanded={isExact}
        aria-pressed={isExactRange}
        onClick={() => setExact(!isExact)}
      >
        {isExactRange ? rangeText(from, to, zone) : 'Exact…'}
      </button>
      {isExact ? (
        <ExactRange
          from={from}
          to={to}
          zone={zone}
          onSubmit={(range) => {
            setExact(false);
            onChange(range);
          }}
        />
      ) : null}
    </div>
  );
}

function ExactRange({
  from,
  to,
  zone,
  onSubmit,
}: {
  from: string | undefined;
  to: string | undefined;
  zone: TimeZone;
  onSubmit: TimeRangeProps['onChange'];
}) {
  const [error, setError] = useState<string>();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [begin, end] = [parse(fields.get('from'), zone), parse(fields.get('to'), zone)];
    if (begin === null || end === null) {
      return setError('Write times as 2026-11-22 14:00, or leave a field empty.');
    }
    if (begin && end && begin > end) return setError('The start must not be later than the end.');
    onSubmit({ from: begin, to: end });
  };
  const zoneTitle = zone === 'utc' ? 'UTC' : `local time, ${zoneName(Date.now(), zone)}`;
  return (
    <form className={styles.exact} onSubmit={submit} noValidate>
      <label>
        From ({zoneTitle})
        <input ref={first} name="from" defaultValue={fieldText(from, zone)} placeholder="2026-11-22 14:00" />
      </label>
      <label>
        To ({zoneTitle})
        <input name="to" defaultValue={fieldText(to, zone)} placeholder="now" />
      </label>
      <button type="submit">Apply</button>
      {error === undefined ? null : <p role="alert">{error}</p>}
    </form>
  );
}

/** @returns RFC 3339; undefined for an empty field, null for anything that is not a time */
function parse(value: FormDataEntryValue | null, zone: TimeZone): string | undefined | null {
  const text = String(value ?? '').trim();
  if (text === '' || text === 'now') return undefined;
  if (!/^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2})?)?$/.test(text)) return null;
  const date = new Date(
    `${text.replace(' ', 'T')}${text.length === 10 ? 'T00:00' : ''}${zone === 'utc' ? 'Z' : ''}`,
  );
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function isPreset(from: string | undefined, to: string | undefined, windowMs: number): boolean {
  if (from === undefined || to !== undefined) return false;
  return Math.abs(Date.now() - windowMs - Date.parse(from)) < windowMs * 0.1;
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
