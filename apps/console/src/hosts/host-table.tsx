import { Link, useNavigate } from '@tanstack/react-router';
import { memo, useEffect } from 'react';
import { faultOfStatus } from '../data/fault.ts';
import type { Host } from '../data/fleet-queries.ts';
import { formatColumn, formatCount, formatMeasure, formatPower } from '../data/format.ts';
import { SEVERITIES } from '../data/severities.ts';
import table from '../parts/data-table.module.css';
import { HealthEvidence } from '../parts/health-evidence.tsx';
import { HealthMark, HEALTHS, SeverityMark } from '../parts/marks.tsx';
import { ROW_LINK } from '../parts/row-link.ts';
import { Time } from '../parts/time.tsx';
import { useRowCursor } from '../parts/use-row-cursor.ts';
import { useVirtualRows } from '../parts/use-virtual-rows.ts';
import { VirtualTable } from '../parts/virtual-table.tsx';
import styles from './host-table.module.css';

const ROW_HEIGHTS = { row: 50, tallRow: 92 };
/** Rows before the last one at which the next page is requested. */
const ROWS_AHEAD = 20;
const COLUMNS: [title: string, isNumber: boolean][] = [
  ['Host', false],
  ['Why, and what to do', false],
  ['GPUs', false],
  ['Utilization', true],
  ['Hottest', true],
  ['Power', true],
  ['Alerts, 24 h', false],
];

interface HostTableProps {
  hosts: Host[];
  /** Called when the last rows come into view. */
  onEnd: () => void;
}

/** A virtual table of hosts: the newest readings, with the means of 24 hours below. */
export function HostTable({ hosts, onEnd }: HostTableProps) {
  const navigate = useNavigate();
  const virtual = useVirtualRows(hosts.length, ROW_HEIGHTS);
  const { virtualizer, rowHeight } = virtual;
  const items = virtualizer.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= hosts.length - ROWS_AHEAD;
  useEffect(() => {
    if (isNearEnd) onEnd();
  }, [isNearEnd, onEnd]);
  const cursor = useRowCursor({
    rowCount: hosts.length,
    onMove: (index) => virtualizer.scrollToIndex(index),
    onOpen: (index) =>
      void navigate({
        to: '/hosts/$hostname',
        params: { hostname: (hosts[index] as Host).hostname },
        search: (search) => search,
      }),
  });
  return (
    <VirtualTable
      label="Hosts"
      className={styles.table}
      rowCount={hosts.length}
      virtual={virtual}
      head={
        <div className={table.head} role="row" aria-rowindex={1}>
          {COLUMNS.map(([title, isNumber]) => (
            <span key={title} role="columnheader" data-number={isNumber}>
              {title}
            </span>
          ))}
        </div>
      }
    >
      {items.map(({ index, start }) => {
        const host = hosts[index] as Host;
        return (
          <Row
            key={`${host.customer_id} ${host.hostname}`}
            host={host}
            index={index}
            start={start - virtual.offset}
            height={rowHeight}
            hasCursor={index === cursor}
          />
        );
      })}
    </VirtualTable>
  );
}

interface RowProps {
  host: Host;
  index: number;
  start: number;
  height: number;
  hasCursor: boolean;
}

/** Memoized: a scroll renders only the rows that come into view. */
const Row = memo(function Row({ host, index, start, height, hasCursor }: RowProps) {
  return (
    <div
      role="row"
      // The header is row 1.
      aria-rowindex={index + 2}
      className={`${table.row} ${styles.row}`}
      style={{ transform: `translateY(${start}px)`, height }}
      data-cursor={hasCursor}
      {...ROW_LINK}
    >
      <span role="cell" className={styles.host}>
        <HealthMark health={host.health} iconOnly />
        <span>
          <Link to="/hosts/$hostname" params={{ hostname: host.hostname }} search={(search) => search}>
            <bdi title={host.hostname}>{host.hostname || 'unknown host'}</bdi>
          </Link>
          <small>{host.models.join(', ')}</small>
        </span>
      </span>
      <span role="cell" className={styles.why}>
        <Why host={host} />
      </span>
      <span role="cell" className={styles.gpus}>
        <Gpus host={host} />
      </span>
      <Reading
        className={styles.utilization}
        value={host.latest.utilization_pct}
        unit="%"
        below={`mean ${formatColumn(host.mean.utilization_pct, '%')}`}
      />
      <Reading
        className={table.wide}
        value={host.latest.max_temperature_c}
        unit="°C"
        below={host.idle_gpu_count === 0 ? '' : `${formatCount(host.idle_gpu_count)} idle`}
      />
      <span role="cell" data-number className={table.wide} data-unknown={host.latest.power_draw_w === null}>
        {formatPower(host.latest.power_draw_w)}
      </span>
      <span role="cell" className={`${table.wide} ${styles.alerts}`}>
        <Alerts host={host} />
      </span>
    </div>
  );
});

function Why({ host: { reason, health } }: { host: Host }) {
  if (reason === null) return <small>{health === 'healthy' ? '' : 'The reason is not known.'}</small>;
  const { sentence, instruction, since } = faultOfStatus(reason, health);
  return (
    <>
      <span title={sentence}>
        <HealthEvidence text={sentence} />
      </span>
      <small title={instruction}>
        Began <Time iso={since} />. {instruction}
      </small>
    </>
  );
}

/** The number of GPUs, and of those with each health that is not healthy. */
function Gpus({ host: { gpu_count, gpus_by_health } }: { host: Host }) {
  const unhealthy = HEALTHS.filter((health) => health !== 'healthy' && gpus_by_health[health] > 0);
  return (
    <>
      {formatCount(gpu_count)}
      <small>
        {unhealthy.map((health) => (
          <span key={health}>
            <HealthMark health={health} iconOnly /> {formatCount(gpus_by_health[health])}
          </span>
        ))}
      </small>
    </>
  );
}

/** The two highest severities with alerts, with the sum below. */
function Alerts({ host: { alerts } }: { host: Host }) {
  const total = SEVERITIES.reduce((sum, severity) => sum + alerts[severity], 0);
  const highest = SEVERITIES.filter((severity) => alerts[severity] > 0).slice(0, 2);
  if (total === 0) return <small>none</small>;
  return (
    <>
      <span>
        {highest.map((severity) => (
          <span key={severity}>
            <SeverityMark severity={severity} iconOnly /> {formatCount(alerts[severity])}
          </span>
        ))}
      </span>
      <small>{formatCount(total)} in all</small>
    </>
  );
}

interface ReadingProps {
  className: string | undefined;
  value: number | null;
  unit: string;
  /** Shown in the second line. */
  below: string;
}

function Reading({ className, value, unit, below }: ReadingProps) {
  return (
    <span role="cell" data-number className={className} data-unknown={value === null}>
      {unit === '%' ? formatColumn(value, unit) : formatMeasure(value, unit)}
      <small>{below}</small>
    </span>
  );
}
