import type {
  AgentSessionRecord,
  Attributed,
  ContainerRecord,
  HostRecord,
  ProcessRecord,
  VmRecord,
} from '../../records/records.ts';
import type { Observation, StoredEntityKind } from './entity.ts';

export type EntityRecord = HostRecord | ContainerRecord | VmRecord | ProcessRecord | AgentSessionRecord;

/**
 * Returns the observation of a record's entity, followed by those of its roles: a container with GPUs, a container under
 * MPS and a process in a container are counted as separate entities.
 */
export function observationsOf(record: Attributed<EntityRecord>): [Observation, ...Observation[]] {
  const { kind: _kind, customer_id: _customer, workspace_id, api_key_id, at, ...doc } = record;
  const observation = (kind: StoredEntityKind, entity_id: string, doc: object = {}): Observation => ({
    kind,
    entity_id,
    workspace_id,
    api_key_id,
    at,
    doc: { ...doc },
  });
  switch (record.kind) {
    case 'container': {
      const { container_id: id, gpu_ids: gpuIds = [], mps = false } = record;
      return [
        observation('container', id, doc),
        ...(gpuIds.length > 0 ? [observation('gpu_container', id)] : []),
        ...(mps ? [observation('mps_container', id)] : []),
      ];
    }
    case 'process': {
      const id = processId(record);
      const inContainer = record.container_id === undefined ? [] : [observation('container_process', id)];
      return [observation('process', id, doc), ...inContainer];
    }
    case 'vm':
      return [observation('vm', record.vm_id, doc)];
    case 'agent_session':
      return [observation('agent_session', record.session_id, doc)];
    case 'host':
      return [observation('host', record.hostname, doc)];
  }
}

/** Identifies a process by host, pid and start time, independent of the GPUs it uses. */
export function processId(process: { hostname: string; pid: number; started_at: string }): string {
  return `${process.hostname}|${process.pid}|${process.started_at}`;
}
