import { describeRules } from '@gpu-observatory/contracts/mutants';
import { DAY_MS, HOUR_MS } from '@gpu-observatory/domain-types';
import { useFleetService } from './support/fleet-service.ts';
import {
  alertRecord,
  gpuDayRecord,
  gpuRecord,
  minutesAgo,
  sampleRecord,
  timelineRecord,
  xidRecord,
} from './support/records.ts';

const ORIGIN = 'https://app.example';
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info', 'critical', 'high'];
const TYPES = [
  'gpu_thermal',
  'gpu_ecc',
  'network_anomaly',
  'cpu_usage',
  'gpu_thermal',
  'gpu_ecc',
  'gpu_thermal',
];

const fleet = useFleetService({ environment: { ALLOWED_ORIGINS: ORIGIN } });
let token: string;

beforeAll(async () => {
  // Bounds the age of each alert: not in the first hour of a UTC day, whose buckets of an hour and of a day are the same.
  const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS - 12 * HOUR_MS;
  const alerts = Array.from({ length: 28 }, (_unused, n) =>
    alertRecord(n + 1, {
      severity: SEVERITIES[n % 7],
      type: TYPES[n % 7],
      state: n % 3 === 2 ? 'ignored' : 'active',
      hostname: n % 9 === 8 ? null : `Node-${n % 4}.acme.example`,
      created_at: new Date(noon - (n < 14 ? n : 100 * n) * HOUR_MS).toISOString(),
    }),
  );
  const events = [1, 2].map((tid) => timelineRecord(1, minutesAgo(10 - tid), { tid }));
  const gpu = (id: string, ageMinutes: number, hostname: string, readings = {}) => {
    const at = minutesAgo(ageMinutes);
    return [
      gpuRecord(id, {
        at,
        hostname,
        vendor: 'NVIDIA',
        model: 'H100',
        pcie_address: '00000000:3B:00.0',
        slowdown_temperature_c: 87,
        // Missing after 50 minutes, however long the test takes.
        report_interval_seconds: 600,
      }),
      sampleRecord(id, at, { utilization_pct: 50, temperature_c: 60, ...readings }),
    ];
  };
  const xid = (id: string, ageMinutes: number) => xidRecord(id, minutesAgo(ageMinutes), 79);
  await fleet.import([
    ...alerts,
    ...events,
    ...gpu('GPU-critical', 0, 'node-1'),
    xid('GPU-critical', 0),
    ...gpu('GPU-lost', 60, 'node-4'),
    xid('GPU-lost', 60),
    ...gpu('GPU-missing', 60, 'node-3'),
    ...gpu('GPU-hot', 0, 'node-2', { temperature_c: 88 }),
    xidRecord('GPU-hot', minutesAgo(30), 31),
    ...gpu('node-5|0000:3B:00.0|guest-1', 0, 'node-5'),
    ...gpu('GPU-healthy', 0, 'node-6'),
    // Hours of yesterday that differ by host.
    gpuDayRecord('GPU-hot', new Date(noon).toISOString().slice(0, 10)),
    gpuDayRecord('GPU-healthy', new Date(noon).toISOString().slice(0, 10), {
      utilization_pct: new Array<number>(48).fill(90),
    }),
  ]);
  token = await fleet.account.token([{ customer_id: 1, workspace_ids: 'all' }]);
});

describeRules('fleet', () => ({
  url: fleet.running.publicUrl,
  options: { token, origin: ORIGIN, write: true },
}));
