import { Link, useNavigate } from '@tanstack/react-router';
import { formatMeasure, NO_DATA } from '../data/format.ts';
import type { Gpu } from '../data/queries.ts';
import table from '../parts/data-table.module.css';
import { HealthMark } from '../parts/marks.tsx';
import { Time } from '../parts/time.tsx';
import { useRowCursor } from '../parts/use-row-cursor.ts';
import { useVirtualRows } from '../parts/use-virtual-rows.ts';
import type { GpuSort } from './fleet-filters.ts';
import styles from './gpu-table.module.css';

const ROW_HEIGHTS = { row: 32, tallRow: 52 };
const COLUMNS: [sort: GpuSort | undefined, title: string, isNumber: boolean][] = [
  ['health', 'Health', false],
  ['host', 'Host', false],
  [undefined, 'PCIe address', false],
  ['model', 'Model', false],
  ['utilization', 'Utilization', true],
  ['temperature', 'Temperature', true],
  ['xid', 'XID errors', true],
  ['seen', 'Last seen', false],
];

interface GpuTableProps {
  gpus: Gpu[];
  sort: string | undefined;
  onSort: (sort: GpuSort) => void;
}

/** A virtual table of GPUs. Readings are means of the last 24 hours. */
export function GpuTable({ gpus, sort, onSort }: GpuTableProps) {
  const navigate = useNavigate();
  const { scroller, virtualizer, rowHeight } = useVirtualRows(gpus.length, ROW_HEIGHTS);
  const cursor = useRowCursor({
    rowCount: gpus.length,
    onMove: (index) => virtualizer.scrollToIndex(index),
    onOpen: (index) => void navigate({ to: '/gpus/$id', params: { id: (gpus[index] as Gpu).gpu_id } }),
  });
  return (
    <div
      ref={scroller}
      className={`${table.scroller} ${styles.table}`}
      tabIndex={0}
      role="table"
      aria-label="GPUs"
      aria-rowcount={gpus.length + 1}
    >
      <div role="rowgroup" className={table.top}>
        <div className={table.head} role="row" aria-rowindex={1}>
          {COLUMNS.map(([key, title, isNumber]) => (
            <span key={title} role="columnheader" data-number={isNumber} aria-sort={ariaSort(key, sort)}>
              {key === undefined ? (
                title
              ) : (
                <button type="button" onClick={() => onSort(key)}>
                  {title}
                  {sort === key ? ' ↓' : sort === `-${key}` ? ' ↑' : ''}
                </button>
              )}
            </span>
          ))}
        </div>
      </div>
      <div className={table.body} role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const gpu = gpus[index] as Gpu;
          return (
            <div
              key={gpu.gpu_id}
              role="row"
              // The header is row 1.
              aria-rowindex={index + 2}
              className={`${table.row} ${styles.row}`}
              style={{ transform: `translateY(${start}px)`, height: rowHeight }}
              data-cursor={index === cursor}
            >
              <span role="cell" className={`${table.mark} ${styles.health}`}>
                <HealthMark health={gpu.health} />
              </span>
              <span role="cell" className={styles.host} title={gpu.hostname}>
                <Link to="/gpus/$id" params={{ id: gpu.gpu_id }}>
                  <bdi>{gpu.hostname || gpu.gpu_id}</bdi>
                </Link>
              </span>
              <span role="cell" className={styles.code}>
                {gpu.pcie_address}
              </span>
              <span role="cell" className={styles.model} title={gpu.model}>
                <bdi>{gpu.model}</bdi>
              </span>
              <span
                role="cell"
                data-number
                className={styles.utilization}
                data-unknown={gpu.utilization_pct === null}
              >
                {formatMeasure(gpu.utilization_pct, '%')}
              </span>
              <span
                role="cell"
                data-number
                className={styles.temperature}
                data-unknown={gpu.temperature_c === null}
              >
                {formatMeasure(gpu.temperature_c, '°C')}
              </span>
              <span role="cell" data-number className={styles.xids} data-unknown={gpu.xid_errors === null}>
                {gpu.xid_errors ?? NO_DATA}
              </span>
              <span role="cell" className={styles.seen}>
                <Time iso={gpu.last_seen} />
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function ariaSort(
  key: GpuSort | undefined,
  sort: string | undefined,
): 'ascending' | 'descending' | undefined {
  if (key === undefined) return undefined;
  return sort === key ? 'descending' : sort === `-${key}` ? 'ascending' : undefined;
}
