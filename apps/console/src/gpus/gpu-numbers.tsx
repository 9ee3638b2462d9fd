import { formatMeasure, NO_DATA } from '../data/format.ts';
import type { GpuDetail } from '../data/queries.ts';
import { Panel } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';
import styles from './gpu-page.module.css';

/** The last reading of each sensor. */
export function GpuReadings({
  gpu: { telemetry, utilization, health, last_refreshed_at },
}: {
  gpu: GpuDetail;
}) {
  const { hardware } = utilization;
  const hardwareReadings: [string, string][] = [
    ['Memory temperature', formatMeasure(hardware.memory_temperature_c, '°C')],
    ['Tensor cores active', formatMeasure(hardware.tensor_active_pct, '%')],
    ['DRAM active', formatMeasure(hardware.dram_active_pct, '%')],
    ['PCIe sent', formatMeasure(hardware.pcie_tx_mb_per_second, 'MB/s')],
    ['PCIe received', formatMeasure(hardware.pcie_rx_mb_per_second, 'MB/s')],
    ['Energy since driver load', formatMeasure(hardware.energy_total_kwh, 'kWh')],
  ];
  const readings: [string, string][] = [
    ['Utilization', formatMeasure(telemetry.utilization_pct, '%')],
    ['Temperature', formatMeasure(telemetry.temperature_c, '°C')],
    ['Memory', pair(telemetry.memory_used_gb, telemetry.memory_total_gb, 'GB')],
    ['Power', pair(telemetry.power_draw_w, telemetry.power_limit_w, 'W')],
    ['Fan', formatMeasure(telemetry.fan_pct, '%')],
    // Only some exporters report these.
    ...hardwareReadings.filter(([, value]) => value !== NO_DATA),
  ];
  return (
    <dl className={styles.readings}>
      {health === 'missing' ? (
        <div data-unknown="true">
          <dt>Last readings</dt>
          <dd>
            <Time iso={last_refreshed_at} />
          </dd>
        </div>
      ) : null}
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

/** What the GPU is. */
export function GpuSpecs({ gpu }: { gpu: GpuDetail }) {
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
            <dd>
              <bdi>{value || NO_DATA}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
