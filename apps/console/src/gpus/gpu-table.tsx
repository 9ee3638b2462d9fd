import { Link, useNavigate } from '@tanstack/react-router';
import { memo } from 'react';
import { faultOfStatus } from '../data/fault.ts';
import { formatColumn, formatMeasure } from '../data/format.ts';
import type { Gpu, GpuStatus } from '../data/queries.ts';
import { slotOf } from '../parts/gpu-label.ts';
import table from '../parts/data-table.module.css';
import { HealthEvidence } from '../parts/health-evidence.tsx';
import { HealthMark } from '../parts/marks.tsx';
import { ROW_LINK } from '../parts/row-link.ts';
import { useRowCursor } from '../parts/use-row-cursor.ts';
import { useVirtualRows } from '../parts/use-virtual-rows.ts';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { directionOf, type GpuSort } from './gpu-sorts.ts';
import styles from './gpu-table.module.css';

const ROW_HEIGHTS = { row: 32, tallRow: 52 };
const COLUMNS: [sort: GpuSort | undefined, title: string, isNumber: boolean][] = [
  ['health', 'Health', false],
  ['host', 'Host', false],
  [undefined, 'PCIe', false],
  ['model', 'Model', false],
  [undefined, 'Why', false],
  ['utilization', 'Mean util.', true],
  ['temperature', 'Mean temp.', true],
  ['xid', 'XID errors', true],
];

interface GpuTableProps {
  gpus: Gpu[];
  /** Of the GPUs that are not healthy, by id. */
  statuses: ReadonlyMap<string, GpuStatus>;
  sort: string;
  onSort: (sort: GpuSort) => void;
}

/** A virtual table of GPUs. Readings are means of the window; the reason for the health has current readings. */
export function GpuTable({ gpus, statuses, sort, onSort }: GpuTableProps) {
  const navigate = useNavigate();
  const virtual = useVirtualRows(gpus.length, ROW_HEIGHTS);
  const { virtualizer, rowHeight } = virtual;
  const cursor = useRowCursor({
    rowCount: gpus.length,
    onMove: (index) => virtualizer.scrollToIndex(index),
    onOpen: (index) =>
      void navigate({
        to: '/gpus/$id',
        params: { id: (gpus[index] as Gpu).gpu_id },
        search: (search) => search,
      }),
  });
  return (
    <VirtualTable
      label="GPUs"
      className={styles.table}
      rowCount={gpus.length}
      virtual={virtual}
      head={<Head sort={sort} onSort={onSort} />}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const gpu = gpus[index] as Gpu;
        return (
          <Row
            key={gpu.gpu_id}
            gpu={gpu}
            status={statuses.get(gpu.gpu_id)}
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

function Head({ sort, onSort }: Pick<GpuTableProps, 'sort' | 'onSort'>) {
  return (
    <div className={table.head} role="row" aria-rowindex={1}>
      {COLUMNS.map(([key, title, isNumber]) => {
        const direction = directionOf(key, sort);
        return (
          <span key={title} role="columnheader" data-number={isNumber} aria-sort={direction}>
            {key === undefined ? (
              title
            ) : (
              <button type="button" onClick={() => onSort(key)}>
                {title}
                <span aria-hidden="true">
                  {direction === undefined ? '' : direction === 'ascending' ? ' ↑' : ' ↓'}
                </span>
              </button>
            )}
          </span>
        );
      })}
    </div>
  );
}

interface RowProps {
  gpu: Gpu;
  /** Undefined for a healthy GPU, and until it is known. */
  status: GpuStatus | undefined;
  index: number;
  start: number;
  height: number;
  hasCursor: boolean;
}

/** Memoized: a scroll renders only the rows that come into view. */
const Row = memo(function Row({ gpu, status, index, start, height, hasCursor }: RowProps) {
  const fault = status?.reason ? faultOfStatus(status.reason, status.health) : undefined;
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
      <span role="cell" className={`${table.mark} ${styles.health}`}>
        <HealthMark health={gpu.health} />
      </span>
      <span role="cell" className={styles.host}>
        <Link
          to="/gpus/$id"
          params={{ id: gpu.gpu_id }}
          search={(search) => search}
          // A host has several GPUs.
          aria-label={`${gpu.hostname || gpu.gpu_id} ${gpu.pcie_address}`}
        >
          <bdi title={gpu.hostname}>{gpu.hostname || gpu.gpu_id}</bdi>
        </Link>
      </span>
      <span role="cell" className={`${table.wide} ${styles.code}`}>
        <bdi title={gpu.pcie_address}>{slotOf(gpu.pcie_address)}</bdi>
      </span>
      <span role="cell" className={`${table.minor} ${styles.model}`} title={gpu.model}>
        <bdi>{gpu.model}</bdi>
      </span>
      <span role="cell" className={`${table.minor} ${styles.why}`} title={fault?.instruction}>
        {fault ? <HealthEvidence text={fault.sentence} /> : null}
      </span>
      <NumberCell className={styles.utilization} value={gpu.utilization_pct} unit="%" />
      <NumberCell className={`${table.minor} ${styles.temperature}`} value={gpu.temperature_c} unit="°C" />
      <span role="cell" data-number className={table.wide} data-unknown={gpu.xid_errors === null}>
        {formatMeasure(gpu.xid_errors)}
      </span>
    </div>
  );
});

interface NumberCellProps {
  className: string | undefined;
  value: number | null;
  unit: string;
}

function NumberCell({ className, value, unit }: NumberCellProps) {
  return (
    <span role="cell" data-number className={className} data-unknown={value === null}>
      {formatColumn(value, unit)}
    </span>
  );
}
