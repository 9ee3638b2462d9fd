import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { faultOf } from '../data/fault.ts';
import { formatCount } from '../data/format.ts';
import { gpuQuery } from '../data/queries.ts';
import { gpusOfHost } from '../gpus/fleet-filters.ts';
import { HealthEvidence } from '../parts/health-evidence.tsx';
import { HealthMark } from '../parts/marks.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useServices } from '../session/services.ts';
import styles from './lists.module.css';
import { type Attention, gpuCount, startOf } from './attention.ts';

export const MAX_ROWS = 10;

interface AttentionListProps {
  rows: Attention[];
  unhealthyCount: number;
  /** Number of all GPUs in the scope. */
  gpuTotal: number;
}

/** GPUs that are not healthy, each with its fault, what to do and the start of the fault. */
export function AttentionList({ rows, unhealthyCount, gpuTotal }: AttentionListProps) {
  const shown = rows.slice(0, MAX_ROWS);
  if (gpuTotal === 0) return <Empty title="No GPUs have reported yet." />;
  if (unhealthyCount === 0) return <Empty title="None. Every GPU is healthy." />;
  return (
    <>
      <ul className={styles.rows}>
        {shown.map((row) => (
          <AttentionRow key={row.gpu.gpu_id} row={row} />
        ))}
      </ul>
      {unhealthyCount > gpuCount(shown) ? (
        <p className={styles.more}>
          <Link to="/gpus" search={{ health: 'critical,degraded,missing', view: 'table', sort: 'health' }}>
            All {formatCount(unhealthyCount)} unhealthy GPUs
          </Link>
        </p>
      ) : null}
    </>
  );
}

export function AttentionRow({ row }: { row: Attention }) {
  const { gpu, count, startsMs } = row;
  const { data, isError } = useQuery(gpuQuery(useServices(), gpu.gpu_id));
  const reason = row.reason ?? data?.gpu.security_diagnostics.health.reasons[0];
  const fault = data && reason ? faultOf(reason, data.gpu) : undefined;
  const since = fault?.since ?? (startsMs.length === 0 ? undefined : new Date(startOf(row)).toISOString());
  return (
    <li>
      <HealthMark health={gpu.health} />
      <span className={styles.main}>
        {count > 1 ? (
          <Link to="/gpus" search={{ ...gpusOfHost(gpu.hostname), health: gpu.health }}>
            <bdi>{gpu.hostname}</bdi>
          </Link>
        ) : (
          <Link to="/gpus/$id" params={{ id: gpu.gpu_id }}>
            <bdi>{gpu.hostname || gpu.gpu_id}</bdi>
          </Link>
        )}{' '}
        <small>{count > 1 ? `${formatCount(count)} GPUs` : gpu.pcie_address}</small>
      </span>
      {since === undefined ? null : <Time iso={since} />}
      <span className={styles.why}>
        {fault ? (
          <>
            <HealthEvidence text={fault.sentence} /> {fault.instruction}
          </>
        ) : isError ? (
          'The rule behind it is not known.'
        ) : (
          'Reading the rule…'
        )}
      </span>
    </li>
  );
}
