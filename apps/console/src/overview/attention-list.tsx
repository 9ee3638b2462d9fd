import { Link } from '@tanstack/react-router';
import { alertTypeTitle, formatCount } from '../data/format.ts';
import { HealthMark } from '../parts/marks.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import styles from './lists.module.css';
import { type Attention, sinceOf } from './use-attention.ts';

const MAX_ROWS = 7;

/** GPUs that are not healthy, each with the rule that says so and since when. */
export function AttentionList({ rows, unhealthyCount }: { rows: Attention[]; unhealthyCount: number }) {
  if (unhealthyCount === 0) return <Empty title="None. Every GPU is healthy." />;
  return (
    <>
      <ul className={styles.rows}>
        {rows.slice(0, MAX_ROWS).map((row) => (
          <AttentionRow key={row.gpu.gpu_id} row={row} />
        ))}
      </ul>
      {unhealthyCount > MAX_ROWS ? (
        <p className={styles.more}>
          <Link to="/gpus" search={{ health: 'critical,degraded,missing', view: 'table', sort: 'health' }}>
            {formatCount(unhealthyCount - MAX_ROWS)} more
          </Link>
        </p>
      ) : null}
    </>
  );
}

export function AttentionRow({ row }: { row: Attention }) {
  const { gpu, reason } = row;
  return (
    <li>
      <HealthMark health={gpu.health} />
      <span className={styles.main}>
        <Link to="/gpus/$id" params={{ id: gpu.gpu_id }}>
          <bdi>{gpu.hostname || gpu.gpu_id}</bdi>
        </Link>{' '}
        <small>{gpu.pcie_address}</small>
      </span>
      <Time iso={sinceOf(row)} />
      <span className={styles.why}>
        {reason ? (
          <bdi>
            {alertTypeTitle(reason.rule)}: {reason.evidence}
          </bdi>
        ) : (
          'Reading the rule…'
        )}
      </span>
    </li>
  );
}
