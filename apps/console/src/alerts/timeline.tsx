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
  alert: AlertDetail;
}

/** The processes of an alert as a tree, then their events in order of time up to the alert. */
export function Timeline({ events, alert }: TimelineProps) {
  const { created_at: alertAt, resource_details: details } = alert;
  const zone = use(TimeZoneContext);
  const { trees, depths } = useMemo(() => {
    const roots = processTrees(events, details.process_details);
    return { trees: roots, depths: depthsOf(roots) };
  }, [events, details]);
  const shown = new Map<number, string>();
  const clock = (iso: string) => formatDateTime(Date.parse(iso), zone).slice(11);
  return (
    <>
      {trees.length === 0 ? null : (
        <>
          <h3 className={styles.heading}>Processes</h3>
          <Tree nodes={trees} alert={alert} />
        </>
      )}
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
                <Pivots text={event.event_info || event.event_type} alert={alert} />
                <span className={styles.process}>
                  <bdi>{event.event_type.replaceAll('_', ' ')}</bdi>
                  {pid === 0 ? null : (
                    <>
                      {' '}
                      by <bdi>{comm ?? 'a process'}</bdi>, <Pivots text={`pid ${pid}`} alert={alert} />
                    </>
                  )}
                  {tid === pid ? '' : `, thread ${tid}`}
                  {pwd === undefined ? null : (
                    <>
                      , in <bdi>{pwd}</bdi>
                    </>
                  )}
                </span>
                {isNew ? <Command line={command_line} alert={alert} /> : null}
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
  alert: AlertDetail;
}

function Tree({ nodes, alert }: TreeProps) {
  return (
    <ul className={styles.tree}>
      {nodes.map(({ pid, name, commandLine, eventCount, isSubject, children }) => (
        <li key={pid}>
          <div>
            <strong>
              <bdi>{name ?? 'unknown process'}</bdi>
            </strong>{' '}
            <span className={styles.process}>
              <Pivots text={`pid ${pid}`} alert={alert} />
              {eventCount === 0
                ? ', no events'
                : `, ${formatCount(eventCount)} ${eventCount === 1 ? 'event' : 'events'}`}
              {isSubject ? ', the process of this alert' : ''}
            </span>
            {isSubject && commandLine !== undefined ? <Command line={commandLine} alert={alert} /> : null}
          </div>
          {children.length > 0 ? <Tree nodes={children} alert={alert} /> : null}
        </li>
      ))}
    </ul>
  );
}

function Command({ line, alert }: { line: string; alert: AlertDetail }) {
  return (
    // Focusable, because a long command line scrolls.
    <code tabIndex={0}>
      <Pivots text={line} alert={alert} />
    </code>
  );
}
