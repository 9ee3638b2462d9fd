import type { inventory } from './gpu-record-schemas.ts';
import type { hostReadings } from './host-record-schemas.ts';
import type { KIND_SCHEMAS, RecordKind } from './record-schemas.ts';
import type { FieldsOf } from './schema-types.ts';

/** Owner of a record, after the defaults of the command were applied. */
export interface Attribution {
  customer_id: number;
  workspace_id: number | null;
  api_key_id: number | null;
}

/** A record of a kind, without its owner. */
type RecordOf<Kind extends RecordKind> = { kind: Kind } & FieldsOf<
  (typeof KIND_SCHEMAS)[Kind]['properties'],
  (typeof KIND_SCHEMAS)[Kind]['required'][number]
>;

export type GpuInventory = FieldsOf<typeof inventory>;
/** Readings of a host; null or absent when not measured. */
export type HostReadings = FieldsOf<typeof hostReadings>;

export type WorkspaceRecord = RecordOf<'workspace'>;
export type GpuRecord = RecordOf<'gpu'>;
export type GpuSampleRecord = RecordOf<'gpu_sample'>;
export type GpuDayRecord = RecordOf<'gpu_day'>;
export type XidEventRecord = RecordOf<'xid_event'>;
export type GpuProcessRecord = RecordOf<'gpu_process'>;
export type GpuWorkloadRecord = RecordOf<'gpu_workload'>;
export type HostRecord = RecordOf<'host'>;
export type HostSampleRecord = RecordOf<'host_sample'>;
export type HostDayRecord = RecordOf<'host_day'>;
export type ContainerRecord = RecordOf<'container'>;
export type VmRecord = RecordOf<'vm'>;
export type ProcessRecord = RecordOf<'process'>;
export type AgentSessionRecord = RecordOf<'agent_session'>;
export type AlertRecord = RecordOf<'alert'>;
export type AlertStateRecord = RecordOf<'alert_state'>;
export type TimelineEventRecord = RecordOf<'timeline_event'>;
export type ImportRecord = { [Kind in RecordKind]: RecordOf<Kind> }[RecordKind];

/** A record with its owner. */
export type Attributed<R extends ImportRecord = ImportRecord> = R & Attribution;
