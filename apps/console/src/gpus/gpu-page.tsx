import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { alertTypeTitle, formatCount, formatMeasure, NO_DATA } from '../data/format.ts';
import { type GpuDetail, gpuQuery } from '../data/queries.ts';
import { HealthMark, SeverityMark } from '../parts/marks.tsx';
import { Panel } from '../parts/panel.tsx';
import { Empty, ErrorState, Skeleton } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useServices } from '../session/services.ts';
import { GpuCharts } from './gpu-charts.tsx';
import styles from './gpu-page.module.css';

/** One GPU: its health and why, telemetry, XIDs, processes, security and specifications. */
export function GpuPage() {
  const { id } = useParams({ from: '/gpus/$id' });
  const { data, error, refetch } = useQuery(gpuQuery(useServices(), id));
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={10} height="2rem" />;
  const { gpu } = data;
  return (
    <article className={styles.page}>
      <header>
        <p>
          <Link to="/gpus">All GPUs</Link>
        </p>
        <h1>
          {gpu.model} <small>{gpu.specs.pcie_address}</small>
        </h1>
        <p className={styles.kicker}>
          <bdi>{gpu.specs.hostname}</bdi>
          <Link to="/alerts" search={{ hostname: gpu.specs.hostname }}>
            alerts of this host
          </Link>
          <span className={styles.code}>{gpu.gpu_id}</span>
          <span>
            refreshed <Time iso={gpu.last_refreshed_at} />
          </span>
        </p>
      </header>
      <Health gpu={gpu} />
      <Readings gpu={gpu} />
      <GpuCharts id={id} gpu={gpu} />
      <div className={styles.columns}>
        <Xids gpu={gpu} />
        <Security gpu={gpu} />
      </div>
      <Processes gpu={gpu} />
      <div className={styles.columns}>
        <Utilization gpu={gpu} />
        <Specs gpu={gpu} />
      </div>
    </article>
  );
}

function Health({ gpu }: { gpu: GpuDetail }) {
  const { reasons } = gpu.security_diagnostics.health;
  return (
    <section className={styles.health} data-health={gpu.health} aria-label="Health">
      <p className={styles.verdict}>
        <HealthMark health={gpu.health} />
      </p>
      {reasons.length === 0 ? (
        <p>
          {gpu.health === 'missing'
            ? 'It has stopped reporting.'
            : 'No rule says otherwise: no critical XID, no memory fault, temperature and links in range.'}
        </p>
      ) : (
        <ul>
          {reasons.map(({ rule, health, evidence, since, until }) => (
            <li key={`${rule} ${since}`}>
              <HealthMark health={health} iconOnly />
              <span>
                <strong>{ruleTitle(rule)}.</strong> <bdi>{evidence}</bdi>
                <span className={styles.quiet}>
                  {' '}
                  since <Time iso={since} />
                  {until === null ? '' : ', ends '}
                  {until === null ? null : <Time iso={until} />}
                  {until === null ? '' : ' unless it is seen again'}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Turns `critical_xid` into `Critical XID`. */
function ruleTitle(rule: string): string {
  return alertTypeTitle(rule.replaceAll('-', '_'));
}

function Readings({ gpu: { telemetry } }: { gpu: GpuDetail }) {
  const readings: [string, string][] = [
    ['Utilization', formatMeasure(telemetry.utilization_pct, '%')],
    ['Temperature', formatMeasure(telemetry.temperature_c, '°C')],
    ['Memory', pair(telemetry.memory_used_gb, telemetry.memory_total_gb, 'GB')],
    ['Power', pair(telemetry.power_draw_w, telemetry.power_limit_w, 'W')],
    ['Fan', formatMeasure(telemetry.fan_pct, '%')],
  ];
  return (
    <dl className={styles.readings}>
      {readings.map(([label, value]) => (
        <div key={label} data-unknown={value === NO_DATA}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function pair(used: number | null, limit: number | null, unit: string): string {
  if (used === null) return NO_DATA;
  return limit === null
    ? formatMeasure(used, unit)
    : `${formatMeasure(used)} of ${formatMeasure(limit, unit)}`;
}

function Xids({ gpu: { xid, security_diagnostics } }: { gpu: GpuDetail }) {
  const { recent_xid_errors: errors } = security_diagnostics;
  return (
    <Panel
      title="XID errors"
      aside={
        xid.errors_24h === null
          ? 'No source of XIDs reports for this GPU.'
          : `${formatCount(xid.errors_24h)} in 24 hours, ${xid.trend_7d} over 7 days`
      }
    >
      {errors.length === 0 ? (
        <Empty title={xid.errors_24h === null ? 'Unknown.' : 'None recorded.'} />
      ) : (
        <ul className={styles.list}>
          {errors.map(({ code, name, action, occurred_at }) => (
            <li key={`${code} ${occurred_at}`}>
              <strong className={styles.code}>{code}</strong>
              <span>
                {name}
                <span className={styles.quiet}> To do: {action.toLowerCase().replaceAll('_', ' ')}.</span>
              </span>
              <Time iso={occurred_at} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Security({ gpu }: { gpu: GpuDetail }) {
  const { alerts_24h, by_severity, by_type } = gpu.security_diagnostics;
  return (
    <Panel title="Alerts of this GPU, 24 hours" aside={`${formatCount(alerts_24h)} in all`}>
      {alerts_24h === 0 ? (
        <Empty title="None." />
      ) : (
        <>
          <ul className={styles.severities}>
            {by_severity
              .filter(({ count }) => count > 0)
              .map(({ severity, count }) => (
                <li key={severity}>
                  <Link to="/alerts" search={{ severity, hostname: gpu.specs.hostname }}>
                    <SeverityMark severity={severity} />
                  </Link>{' '}
                  {formatCount(count)}
                </li>
              ))}
          </ul>
          <ul className={styles.list}>
            {by_type.map(({ type, count }) => (
              <li key={type}>
                <strong>{formatCount(count)}</strong>
                <Link to="/alerts" search={{ type, hostname: gpu.specs.hostname }}>
                  {alertTypeTitle(type)}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function Processes({ gpu: { processes } }: { gpu: GpuDetail }) {
  return (
    <Panel title="Processes">
      {processes.length === 0 ? (
        <Empty title="No processes are known on this GPU." />
      ) : (
        <div className={styles.scroller}>
          <table className={styles.processes}>
            <thead>
              <tr>
                <th>PID</th>
                <th>Name</th>
                <th>Workload</th>
                <th>Utilization</th>
                <th>Memory</th>
                <th>Started</th>
              </tr>
            </thead>
            <tbody>
              {processes.map((process) => (
                <tr key={`${process.pid} ${process.started_at}`}>
                  <td className={styles.code}>{process.pid || NO_DATA}</td>
                  <td>
                    <bdi>{process.name}</bdi>
                    {process.description === '' ? null : (
                      <small>
                        <bdi>{process.description}</bdi>
                      </small>
                    )}
                  </td>
                  <td>{process.usage_category || 'unclassified'}</td>
                  <td>{formatMeasure(process.gpu_utilization_pct, '%')}</td>
                  <td>{formatMeasure(process.memory_usage_gb, 'GB')}</td>
                  <td>
                    <Time iso={process.started_at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function Utilization({ gpu: { utilization } }: { gpu: GpuDetail }) {
  const { busy_seconds_24h: busy, idle_seconds_24h: idle } = utilization;
  const total = busy + idle;
  return (
    <Panel title="Busy and idle, 24 hours">
      {total === 0 ? (
        <Empty title="No telemetry in the last 24 hours." />
      ) : (
        <>
          <p>
            {formatMeasure((100 * busy) / total, '%')} busy: {hours(busy)} of {hours(total)} with telemetry.
          </p>
          <div className={styles.share} aria-hidden="true">
            <span style={{ width: `${(100 * busy) / total}%` }} />
          </div>
        </>
      )}
      <ul className={styles.list}>
        {utilization.usage_categories.map(({ usage_category, process_count }) => (
          <li key={usage_category}>
            <strong>{formatCount(process_count)}</strong>
            <span>{usage_category || 'unclassified'}</span>
          </li>
        ))}
        {utilization.process_families.map(({ name, process_count }) => (
          <li key={name}>
            <strong>{formatCount(process_count)}</strong>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function hours(seconds: number): string {
  return formatMeasure(seconds / 3_600, 'h');
}

function Specs({ gpu }: { gpu: GpuDetail }) {
  const { specs } = gpu;
  const fields: [string, string][] = [
    ['Vendor', gpu.vendor],
    ['Serial number', specs.serial_no],
    ['Driver', specs.driver_version],
    ['Firmware', specs.firmware_version],
    ['Compute stack', specs.compute_stack],
    ['PCIe address', specs.pcie_address],
    ['MIG', specs.mig_enabled ? 'enabled' : 'disabled'],
  ];
  return (
    <Panel title="Specifications">
      <dl className={styles.specs}>
        {fields.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value || NO_DATA}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
