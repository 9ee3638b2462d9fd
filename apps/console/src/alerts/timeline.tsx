import { use, useMemo } from 'react';
import { formatExact } from '../data/format.ts';
import type { TimelineEvent } from '../data/queries.ts';
import { TimeZoneContext } from '../parts/time.tsx';
import styles from './timeline.module.css';

/** Events in order of time. Processes that start others are above them, indented by depth. */
export function Timeline({ events }: { events: TimelineEvent[] }) {
  const zone = use(TimeZoneContext);
  const depths = useMemo(() => processDepths(events), [events]);
  return (
    <ol className={styles.timeline}>
      {events.map((event, n) => (
        <li key={n} style={{ paddingInlineStart: `${Math.min(depths.get(event.pid) ?? 0, 8) * 0.9}rem` }}>
          <time dateTime={event.ts}>{formatExact(Date.parse(event.ts), zone).slice(11)}</time>
          <span className={styles.what}>
            <strong>{event.event_type}</strong> <bdi>{event.event_info}</bdi>
            <span className={styles.process}>
              {event.comm === undefined ? '' : `${event.comm} `}pid {event.pid}
              {event.tid === event.pid ? '' : `, tid ${event.tid}`}
              {event.pwd === undefined ? '' : `, in ${event.pwd}`}
            </span>
            {event.command_line === undefined ? null : (
              <code>
                <bdi>{event.command_line}</bdi>
              </code>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

/**
 * Returns the depth of each process in the order of first appearance: a process whose first event follows a fork or exec
 * of another one is its child.
 */
function processDepths(events: TimelineEvent[]): Map<number, number> {
  const depths = new Map<number, number>();
  let previous: TimelineEvent | undefined;
  for (const event of events) {
    if (!depths.has(event.pid)) {
      const isStarted = previous !== undefined && /fork|clone|exec|spawn/i.test(previous.event_type);
      depths.set(event.pid, isStarted ? (depths.get(previous?.pid as number) ?? 0) + 1 : 0);
    }
    previous = event;
  }
  return depths;
}
