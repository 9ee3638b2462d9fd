import type { HostGpu } from '../../src/data/fleet-queries.ts';
import type { Reason } from '../../src/data/queries.ts';
import { faultsOf } from '../../src/hosts/faults.ts';

const at = (time: string) => `2026-11-25T${time}:00.000Z`;

function gpu(id: string, reasons: Partial<Reason>[]): HostGpu {
  return { gpu_id: id, health: reasons[0]?.health ?? 'healthy', reasons } as HostGpu;
}

function reason(rule: string, evidence: string, since: string, health: Reason['health'], evidenceAt = since) {
  return {
    rule,
    evidence,
    health,
    since: at(since),
    evidence_at: at(evidenceAt),
    until: null,
    action: 'reset GPU',
  };
}

it('has a fault of several GPUs once, with the evidence and start of the first one, the most urgent first', () => {
  const faults = faultsOf([
    gpu('1', [reason('throttling', 'throttled 7 times', '11:00', 'degraded')]),
    gpu('2', [reason('temperature_near_shutdown', '93 °C', '10:00', 'critical')]),
    gpu('3', [reason('temperature_near_shutdown', '94 °C', '11:30', 'critical')]),
    gpu('4', []),
  ]);
  expect(faults.map(({ fault, gpus }) => [fault.sentence, gpus.map(({ gpu_id }) => gpu_id)])).toEqual([
    ['Temperature near shutdown: 93 °C.', ['2', '3']],
    ['Throttling: throttled 7 times.', ['1']],
  ]);
});

it('keeps XIDs of different codes apart, each since its own time with its own instruction', () => {
  const xid79 = 'XID 79: GPU has fallen off the bus (restart host)';
  const xid48 = 'XID 48: Double-bit ECC error (reset GPU)';
  const faults = faultsOf([
    gpu('1', [reason('critical_xid', xid79, '08:00', 'critical', '11:00')]),
    gpu('2', [reason('critical_xid', xid48, '09:00', 'critical')]),
  ]);
  expect(
    faults.map(({ fault: { sentence, since, earlierSince } }) => [sentence, since, earlierSince]),
  ).toEqual([
    ['XID 79: GPU has fallen off the bus.', at('11:00'), at('08:00')],
    ['XID 48: Double-bit ECC error.', at('09:00'), undefined],
  ]);
  expect(faults[1]!.fault.instruction).toMatch(/^Drain the GPU and reset it/);
});
