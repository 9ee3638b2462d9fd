import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { formatCount, formatMeasure } from '../data/format.ts';
import type { GpuDetail, Job } from '../data/queries.ts';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { type MergedJob, mergedJobs } from './merged-jobs.ts';
import styles from './jobs-table.module.css';

const FIRST_JOBS = 12;
/** GPUs that are listed by their address. */
const MAX_SLOTS = 4;

interface JobsTableProps {
  /** The running ones first. */
  jobs: Job[];
  /** PCIe addresses by GPU, for jobs of several GPUs. */
  slots?: Map<string, string>;
  /** The current processes of a GPU, which have their utilization and memory. */
  processes?: GpuDetail['processes'];
  isMissing: boolean;
}

/** What runs on GPUs and what ran there before, with the owner: whose job is affected by a fault. */
export function JobsTable({ jobs, slots, processes = [], isMissing }: JobsTableProps) {
  const [isAll, setAll] = useState(false);
  const merged = useMemo(() => mergedJobs(jobs), [jobs]);
  if (merged.length === 0) {
    return (
      <Empty title={isMissing ? 'Unknown: it does not report.' : 'None reported.'}>
        <p>
          Jobs are known of hosts that report processes, pods or batch jobs. A longer window may have earlier
          ones.
        </p>
      </Empty>
    );
  }
  const shown = isAll ? merged : merged.slice(0, FIRST_JOBS);
  // Few sources report these: an empty column would say nothing.
  const hasOwner = merged.some(({ owner }) => owner !== '');
  const hasPlace = merged.some((job) => placeOf(job) !== '');
  const hasLoad = processes.length > 0;
  return (
    <>
      <div className={styles.scroller} tabIndex={0} role="region" aria-label="Jobs and processes">
        <table className={styles.jobs}>
          <thead>
            <tr>
              <th>Job or process</th>
              {slots ? <th>GPUs</th> : null}
              {hasOwner ? <th>Owner</th> : null}
              {hasPlace ? <th>Namespace, pod, job</th> : null}
              <th>Workload</th>
              {hasLoad ? (
                <>
                  <th>Utilization</th>
                  <th>Memory</th>
                </>
              ) : null}
              <th>First seen</th>
              <th>Last seen</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((job) => (
              <tr key={`${job.name} ${job.first_seen} ${job.gpuIds[0]}`} data-ended={!job.is_running}>
                <td className={styles.wrapped}>
                  <bdi>{job.name}</bdi>
                  <small>
                    <bdi>{detailOf(job)}</bdi>
                  </small>
                </td>
                {slots ? (
                  <td>
                    <Gpus ids={job.gpuIds} slots={slots} />
                  </td>
                ) : null}
                {hasOwner ? (
                  <td className={styles.wrapped}>
                    <bdi>{job.owner || 'unknown'}</bdi>
                  </td>
                ) : null}
                {hasPlace ? (
                  <td className={styles.wrapped}>
                    <bdi>{placeOf(job) || 'unknown'}</bdi>
                  </td>
                ) : null}
                <td>{job.usage_category || 'unclassified'}</td>
                {hasLoad ? <Load job={job} processes={processes} /> : null}
                <td>
                  <Time iso={job.first_seen} />
                </td>
                <td>{job.is_running ? 'runs now' : <Time iso={job.last_seen} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {merged.length > shown.length ? (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          Show all {formatCount(merged.length)}
        </button>
      ) : null}
    </>
  );
}

function placeOf({ namespace, pods, job, name }: MergedJob): string {
  const pod = pods.length > 1 ? `${formatCount(pods.length)} pods` : pods[0] === name ? '' : pods[0];
  return [namespace, pod, job].filter(Boolean).join(', ');
}

function detailOf({ pids, description }: MergedJob): string {
  const text =
    pids.length === 0 ? '' : pids.length === 1 ? `pid ${pids[0]}` : `${formatCount(pids.length)} processes`;
  return [text, description].filter(Boolean).join(', ');
}

function Gpus({ ids, slots }: { ids: string[]; slots: Map<string, string> }) {
  if (ids.length === slots.size && ids.length > 1) return `all ${formatCount(ids.length)}`;
  if (ids.length > MAX_SLOTS) return formatCount(ids.length);
  return (
    <span className={styles.slots}>
      {ids.map((id) => (
        <Link key={id} to="/gpus/$id" params={{ id }}>
          {slots.get(id) || id}
        </Link>
      ))}
    </span>
  );
}

/** The current utilization and memory of a job's process; nothing for one that has ended. */
function Load({ job, processes }: { job: MergedJob; processes: GpuDetail['processes'] }) {
  const process = job.is_running ? processes.find(({ pid }) => job.pids.includes(Number(pid))) : undefined;
  return (
    <>
      <td>{process ? formatMeasure(process.gpu_utilization_pct, '%') : ''}</td>
      <td>{process ? formatMeasure(process.memory_usage_gb, 'GB') : ''}</td>
    </>
  );
}
