import { type Fault, faultOfStatus } from '../data/fault.ts';
import type { HostGpu } from '../data/fleet-queries.ts';
import type { Health } from '../data/queries.ts';

/** A fault that one or several GPUs of a host have. */
export interface HostFault {
  health: Health;
  /** Of the GPU on which it began first. */
  fault: Fault;
  gpus: HostGpu[];
}

const ORDER: Health[] = ['critical', 'missing', 'degraded', 'healthy'];

/** Returns the faults of a host's GPUs, those with the same rule and the same XID once, the most urgent first. */
export function faultsOf(gpus: HostGpu[]): HostFault[] {
  const all = gpus.flatMap((gpu) =>
    gpu.reasons.map((reason) => ({ gpu, reason, fault: faultOfStatus(reason, gpu.health) })),
  );
  // Evidence has the reading of the GPU, except for XIDs, whose sentence is the same for all GPUs.
  const groups = Map.groupBy(all, ({ reason, fault }) =>
    /_xid$/.test(reason.rule) ? fault.sentence : reason.rule,
  );
  return [...groups.values()]
    .map((group) => {
      const first = group.reduce((a, b) => (b.fault.since < a.fault.since ? b : a));
      return { health: first.reason.health, fault: first.fault, gpus: group.map(({ gpu }) => gpu) };
    })
    .sort(
      (a, b) => ORDER.indexOf(a.health) - ORDER.indexOf(b.health) || (a.fault.since < b.fault.since ? 1 : -1),
    );
}
