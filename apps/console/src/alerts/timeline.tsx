import { use, useMemo } from 'react';
import { formatCount, formatDateTime, formatExact, zoneName } from '../data/format.ts';
import type { AlertDetail, TimelineEvent } from '../data/queries.ts';
import { TimeZoneContext } from '../parts/time.tsx';
import { Pivots } from './pivots.tsx';
import { depthsOf, type ProcessNode, processTrees } from './process-tree.ts';
import styles from './timeline.module.css';

const MAX_DEPTH = 6;

interface TimelineProps {
  events: TimelineEvent[];
  hostname: string | null;
  process: AlertDetail['resource_details']['process_details'];
  /** Time of the alert, RFC 3339. */
  alertAt: string;
}

/** The processes of an alert as a tree, then their events in order of time up to the alert. */
export function Timeline({ events, hostname, process, alertAt }: TimelineProps) {
  const zone = use(TimeZoneContext);
  const { trees, depths } = useMemo(() => {
    const roots = processTrees(events, process);
    return { trees: roots, depths: depthsOf(roots) };
  }, [events, process]);
  const shown = new Map<number, string>();
  const clock = (iso: string) => formatDateTime(Date.parse(iso), zone).slice(11);
  return (
    <>
      <h3 className={styles.heading}>Processes</h3>
      <Tree nodes={trees} hostname={hostname} />
      <h3 className={styles.heading}>Events, times in {zoneName(Date.parse(alertAt), zone)}</h3>
      <ol className={styles.timeline}>
        {events.map((event, n) => {
          const { pid, tid, comm, command_line, pwd } = event;
          // A command line is shown with the first event that has it.
          const isNew = command_line !== undefined && shown.get(pid) !== command_line;
          if (isNew) shown.set(pid, command_line);
          return (
            <li key={n}>
              <time dateTime={event.ts} title={formatExact(Date.parse(event.ts), zone)}>
                {clock(event.ts)}
              </time>
              <div
                className={styles.what}
                style={{ marginInlineStart: `${Math.min(depths.get(pid) ?? 0, MAX_DEPTH)}rem` }}
              >
                <Pivots text={event.event_info || event.event_type} hostname={hostname} />
                <span className={styles.process}>
                  <bdi>{event.event_type.replaceAll('_', ' ')}</bdi> by <bdi>{comm ?? 'a process'}</bdi>,{' '}
                  <Pivots text={`pid ${pid}`} hostname={hostname} />
                  {tid === pid ? '' : `, thread ${tid}`}
                  {pwd === undefined ? null : (
                    <>
                      , in <bdi>{pwd}</bdi>
                    </>
                  )}
                </span>
                {isNew ? <Command line={command_line} hostname={hostname} /> : null}
              </div>
            </li>
          );
        })}
        <li className={styles.alert}>
          <time dateTime={alertAt} title={formatExact(Date.parse(alertAt), zone)}>
            {clock(alertAt)}
          </time>
          <div className={styles.what}>This alert was raised.</div>
        </li>
      </ol>
    </>
  );
}

interface TreeProps {
  nodes: ProcessNode[];
  hostname: string | null;
}

function Tree({ nodes, hostname }: TreeProps) {
  return (
    <ul className={styles.tree}>
      {nodes.map(({ pid, name, commandLine, eventCount, isSubject, children }) => (
        <li key={pid}>
          <div>
            <strong>
              <bdi>{name ?? 'unknown process'}</bdi>
            </strong>{' '}
            <span className={styles.process}>
              <Pivots text={`pid ${pid}`} hostname={hostname} />
              {eventCount === 0
                ? ', no events'
                : `, ${formatCount(eventCount)} ${eventCount === 1 ? 'event' : 'events'}`}
              {isSubject ? ', the process of this alert' : ''}
            </span>
            {isSubject && commandLine !== undefined ? (
              <Command line={commandLine} hostname={hostname} />
            ) : null}
          </div>
          {children.length > 0 ? <Tree nodes={children} hostname={hostname} /> : null}
        </li>
      ))}
    </ul>
  );
}

function Command({ line, hostname }: { line: string; hostname: string | null }) {
  return (
    // Focusable, because a long command line scrolls.
    <code tabIndex={0}>
      <Pivots text={line} hostname={hostname} />
    </code>
  );
}
