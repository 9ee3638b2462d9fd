import { Link } from '@tanstack/react-router';
import { formatCount } from '../data/format.ts';
import { gpuLabel, slotOf } from '../parts/gpu-label.ts';
import { HealthEvidence } from '../parts/health-evidence.tsx';
import { HostLink } from '../parts/host-link.tsx';
import { HealthMark } from '../parts/marks.tsx';
import styles from '../parts/rows.module.css';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { type Attention, gpuCount, newSince } from './attention.ts';

export const MAX_ROWS = 10;

interface AttentionListProps {
  rows: Attention[];
  /** Start of the last hour, in ms since the epoch; GPUs that got their health since then are marked. */
  newFromMs: number;
  /** Number of all GPUs in the scope. */
  gpuTotal: number;
}

/** GPUs that are not healthy, each with its fault, what to do and the start of the fault. */
export function AttentionList({ rows, newFromMs, gpuTotal }: AttentionListProps) {
  const shown = rows.slice(0, MAX_ROWS);
  if (gpuTotal === 0) return <Empty title="No GPUs have reported yet." />;
  if (rows.length === 0) return <Empty title="None. Every GPU is healthy." />;
  return (
    <>
      <ul className={styles.rows}>
        {shown.map((row) => (
          <AttentionRow key={row.gpu.gpu_id} row={row} isNew={newSince([row], newFromMs).length > 0} />
        ))}
      </ul>
      {rows.length > shown.length ? (
        <p className={styles.more}>
          <Link to="/gpus" search={{ health: 'critical,degraded,missing', view: 'table', sort: 'health' }}>
            All {formatCount(gpuCount(rows))} unhealthy GPUs
          </Link>
        </p>
      ) : null}
    </>
  );
}

export function AttentionRow({ row, isNew }: { row: Attention; isNew: boolean }) {
  const { gpu, gpus, fault, since } = row;
  return (
    <li>
      <HealthMark health={gpu.health} />
      <span className={styles.main}>
        <HostLink hostname={gpu.hostname} />{' '}
        <small>
          {gpus.length > 1 ? (
            `${formatCount(gpus.length)} GPUs`
          ) : (
            <Link to="/gpus/$id" params={{ id: gpu.gpu_id }}>
              {slotOf(gpu.pcie_address) || gpuLabel(gpu.gpu_id)}
            </Link>
          )}
        </small>
        {isNew ? <span className={styles.new}>new</span> : null}
      </span>
      <Time iso={since} />
      <span className={styles.why}>
        {fault ? (
          <>
            <HealthEvidence text={fault.sentence} /> {fault.instruction}
          </>
        ) : (
          'The rule behind it is not known.'
        )}
      </span>
    </li>
  );
}
