import type {
  AgentSessionRecord,
  Attributed,
  ContainerRecord,
  HostRecord,
  ProcessRecord,
  VmRecord,
} from '../../records/records.ts';
import { ownerOf } from '../../../model/metrics/rollup-scope.ts';
import type { KeptKind, Telling } from './entity.ts';

/** The records that are about a thing. */
export type ThingRecord = HostRecord | ContainerRecord | VmRecord | ProcessRecord | AgentSessionRecord;

/**
 * What a record says, of the thing that it is about and of the parts it plays: a container with GPUs, one under MPS and a
 * process in a container are counted of their own, from the first to the last record that says so.
 */
export function tellingsOf(record: Attributed<ThingRecord>): [Telling, ...Telling[]] {
  const { at } = record;
  const owner = ownerOf(record);
  const telling = (kind: KeptKind, id: string, doc: object = {}): Telling => ({
    kind,
    id,
    at,
    owner,
    doc: { ...doc } as Record<string, unknown>,
  });
  const {
    kind: _kind,
    customer_id: _customer,
    workspace_id: _workspace,
    api_key_id: _key,
    at: _at,
    ...doc
  } = record;
  switch (record.kind) {
    case 'container': {
      const { container_id: id, gpu_ids: gpuIds = [], mps = false } = record;
      return [
        telling('container', id, doc),
        ...(gpuIds.length > 0 ? [telling('gpu_container', id)] : []),
        ...(mps ? [telling('mps_container', id)] : []),
      ];
    }
    case 'process': {
      const id = processId(record);
      const inContainer = record.container_id === undefined ? [] : [telling('container_process', id)];
      return [telling('process', id, doc), ...inContainer];
    }
    case 'vm':
      return [telling('vm', record.vm_id, doc)];
    case 'agent_session':
      return [telling('agent_session', record.session_id, doc)];
    case 'host':
      return [telling('host', record.hostname, doc)];
  }
}

/** A process is known by its host, its pid and its begin, however many GPUs it runs on. */
export function processId(process: { hostname: string; pid: number; started_at: string }): string {
  return `${process.hostname}|${process.pid}|${process.started_at}`;
}
