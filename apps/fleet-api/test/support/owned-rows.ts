import {
  alertRecord,
  gpuRecord,
  minutesAgo,
  sampleRecord,
  timelineRecord,
  uuid,
  xidRecord,
} from './records.ts';

export const CUSTOMERS = [1, 2, 3];
export const WORKSPACES = [1, 2, 3, null];
export interface Owned {
  id: string;
  customerId: number;
  workspaceId: number | null;
  apiKeyId: number | null;
}
export type Owner = Pick<Owned, 'customerId' | 'workspaceId'>;
/** Each row contains its owner in its texts, so that foreign rows in a response are detected. */
const markOf = ({ customerId, workspaceId }: Owner) => `owned-by-${customerId}-${workspaceId ?? 'all'}-`;
const OWNERS = CUSTOMERS.flatMap((customerId) =>
  WORKSPACES.map((workspaceId) => ({ customerId, workspaceId })),
);
export const ALERTS: Owned[] = Array.from({ length: 5 }, (_unused, round) =>
  OWNERS.map((owner, n) => ({ ...owner, id: uuid(round * 100 + n), apiKeyId: n % 2 === 0 ? 5 : null })),
).flat();
export const GPUS: Owned[] = OWNERS.filter(({ workspaceId }) => workspaceId !== null).map((owner, n) => ({
  ...owner,
  apiKeyId: n % 3 === 0 ? 5 : null,
  id: n % 2 === 0 ? `GPU-${markOf(owner)}${n}` : `${markOf(owner)}host|0000:3b:00.0|${n}`,
}));

/** Returns ids for the paths of documented operations, by the part of the path before them. */
export function idsOf(alert: Owned, gpu: Owned): Record<string, string> {
  return { alerts: alert.id, gpus: gpu.id, 'gpu-history': gpu.id, hosts: markOf(gpu) };
}

/** Utilization of the GPUs: any set of them has its own mean. */
export const UTILIZATIONS = new Map(GPUS.map(({ id }, n) => [id, 2 ** n / 8]));

/** Returns records of several owners in two imports. */
export function ownedRecords(): [object[], object[]] {
  const given = (owned: Owner) => ({ customer_id: owned.customerId, workspace_id: owned.workspaceId });
  const first = [
    ...OWNERS.filter(({ workspaceId }) => workspaceId !== null).map((owner) => ({
      kind: 'workspace',
      ...given(owner),
      name: markOf(owner),
    })),
    ...GPUS.flatMap((gpu) => [
      gpuRecord(gpu.id, {
        ...given(gpu),
        api_key_id: gpu.apiKeyId,
        hostname: markOf(gpu),
        serial_no: markOf(gpu),
        model: 'owned-model',
      }),
      {
        kind: 'host',
        ...given(gpu),
        api_key_id: gpu.apiKeyId,
        at: minutesAgo(2),
        hostname: markOf(gpu),
        kernel: markOf(gpu),
      },
      {
        kind: 'host_sample',
        ...given(gpu),
        api_key_id: gpu.apiKeyId,
        at: minutesAgo(2),
        hostname: markOf(gpu),
        cpu_load_1m: 1,
      },
      {
        kind: 'gpu_process',
        customer_id: gpu.customerId,
        at: minutesAgo(2),
        gpu_id: gpu.id,
        pid: 7,
        started_at: minutesAgo(5),
        name: markOf(gpu),
      },
      {
        kind: 'gpu_workload',
        customer_id: gpu.customerId,
        at: minutesAgo(2),
        gpu_id: gpu.id,
        name: markOf(gpu),
        owner: markOf(gpu),
      },
      sampleRecord(gpu.id, minutesAgo(2), {
        customer_id: gpu.customerId,
        utilization_pct: UTILIZATIONS.get(gpu.id),
        xid_last_code: 0,
      }),
    ]),
    ...ALERTS.map((alert, n) =>
      alertRecord(n, {
        ...given(alert),
        id: alert.id,
        title: `${markOf(alert)} title`,
        description: `${markOf(alert)} description`,
        hostname: n % 3 === 0 ? null : markOf(alert),
        severity: ['critical', 'high', 'low'][n % 3],
        api_key_id: alert.apiKeyId,
        created_at: minutesAgo(n + 1),
        // Alerts refer to GPUs of all customers.
        gpu_id: GPUS[n % GPUS.length]?.id,
      }),
    ),
    ...ALERTS.map((alert, n) =>
      timelineRecord(n, minutesAgo(1), {
        customer_id: alert.customerId,
        alert_id: alert.id,
        event_info: markOf(alert),
      }),
    ),
  ];
  // With past states.
  const second = [
    ...ALERTS.filter((_alert, n) => n % 4 === 0).map((alert) => ({
      ...{ kind: 'alert_state', customer_id: alert.customerId, alert_id: alert.id, state: 'ignored' },
    })),
    ...GPUS.map((gpu) =>
      xidRecord(gpu.id, minutesAgo(3), 31, { customer_id: gpu.customerId, message: markOf(gpu) }),
    ),
  ];
  return [first, second];
}
