import { Link } from '@tanstack/react-router';
import { formatCount } from '../data/format.ts';
import { HostLink } from '../parts/host-link.tsx';
import { Time } from '../parts/time.tsx';
import type { Repeated } from './incident-days.ts';
import styles from './xids.module.css';

const MAX_ROWS = 3;

/** The hosts on which several GPUs had the same fault, which points to the host and not to a GPU. */
export function RepeatedFaults({ repeated }: { repeated: Repeated[] }) {
  if (repeated.length === 0) return null;
  const more = repeated.length - MAX_ROWS;
  return (
    <section className={styles.repeated} aria-label="The same fault on several GPUs of a host">
      <ul>
        {repeated.slice(0, MAX_ROWS).map(({ hostname, code, name, gpuCount, firstAt, lastAt }) => (
          <li key={`${hostname} ${code}`}>
            <strong>
              <HostLink hostname={hostname} />: {formatCount(gpuCount)} different GPUs with XID {code}
            </strong>
            , {name}. First <Time iso={firstAt} />, last <Time iso={lastAt} />.{' '}
            <Link
              to="/xids"
              search={(search) => ({ ...search, code: String(code), host: hostname, day: undefined })}
              resetScroll={false}
            >
              Show them
            </Link>
          </li>
        ))}
      </ul>
      <p>
        The same fault on several GPUs points to the host: check its slots, risers, power supply and cooling
        before you replace a GPU.
        {more > 0
          ? ` ${formatCount(more)} more ${more === 1 ? 'case is' : 'cases are'} marked in the table.`
          : ''}
      </p>
    </section>
  );
}
