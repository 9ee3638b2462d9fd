import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../data/format.ts';
import { type Gpu, gpuQuery } from '../data/queries.ts';
import { HealthMark } from '../parts/marks.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useServices } from '../session/services.ts';
import styles from './overview.module.css';

const MAX_ROWS = 6;

/** The GPUs that are not healthy, the most urgent first, each with the rule that says so. */
export function AttentionList({ gpus }: { gpus: Gpu[] }) {
  const unhealthy = gpus.filter(({ health }) => health !== 'healthy');
  if (unhealthy.length === 0) return <Empty title="None. Every GPU is healthy." />;
  return (
    <>
      <ul className={styles.attention}>
        {unhealthy.slice(0, MAX_ROWS).map((gpu) => (
          <AttentionRow key={gpu.gpu_id} gpu={gpu} />
        ))}
      </ul>
      {unhealthy.length > MAX_ROWS ? (
        <p>
          <Link to="/gpus" search={{ health: 'critical,degraded,missing' }}>
            {formatCount(unhealthy.length - MAX_ROWS)} more
          </Link>
        </p>
      ) : null}
    </>
  );
}

function AttentionRow({ gpu }: { gpu: Gpu }) {
  const { data } = useQuery(gpuQuery(useServices(), gpu.gpu_id));
  const reason = data?.gpu.security_diagnostics.health.reasons[0];
  return (
    <li>
      <HealthMark health={gpu.health} />
      <Link to="/gpus/$id" params={{ id: gpu.gpu_id }}>
        {gpu.hostname || gpu.gpu_id} <small>{gpu.pcie_address}</small>
      </Link>
      <span>{reason ? reason.evidence : gpu.health === 'missing' ? 'Stopped reporting.' : ''}</span>
      <Time iso={reason?.since ?? gpu.last_seen} />
    </li>
  );
}
