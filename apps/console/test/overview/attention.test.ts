import type { GpuStatus } from '../../src/data/queries.ts';
import { type Attention, attentionOf, gpuCount, newSince } from '../../src/overview/attention.ts';

const at = (time: string) => `2026-11-25T${time}:00Z`;
const ms = (time: string) => Date.parse(at(time));

function gpu(
  id: string,
  health: GpuStatus['health'],
  since: string,
  fields: Partial<GpuStatus> = {},
): GpuStatus {
  const reason = { rule: 'critical_xid', health, since: at(since) };
  return { gpu_id: id, hostname: 'host-1', health, since: at(since), reason, ...fields } as GpuStatus;
}

const ids = (rows: Attention[]) => rows.map((row) => row.gpu.gpu_id);

describe('GPUs that need a person', () => {
  it('are one row per host, health and rule, with the first GPU and its start', () => {
    const rows = attentionOf([gpu('a', 'critical', '11:40'), gpu('b', 'critical', '09:00')]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ gpu: { gpu_id: 'b' }, since: at('09:00') });
    expect(gpuCount(rows)).toBe(2);
  });

  it('are separate rows for another host, health or rule, and without a host', () => {
    const other = { rule: 'throttling', health: 'critical', since: at('11:00') } as GpuStatus['reason'];
    const rows = attentionOf([
      gpu('a', 'critical', '11:00'),
      gpu('b', 'critical', '11:00', { hostname: 'host-2' }),
      gpu('c', 'degraded', '11:00'),
      gpu('d', 'critical', '11:00', { reason: other }),
      gpu('e', 'critical', '11:00', { hostname: '' }),
      gpu('f', 'critical', '11:00', { hostname: '' }),
    ]);
    expect(ids(rows).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('count as new only if their own start is within the time', () => {
    const rows = attentionOf([
      gpu('a', 'critical', '09:00'),
      gpu('b', 'critical', '11:40'),
      gpu('c', 'critical', '11:30'),
    ]);
    const fresh = newSince(rows, ms('11:00'));
    expect(gpuCount(fresh)).toBe(2);
    expect(fresh[0]).toMatchObject({ gpu: { gpu_id: 'c' }, since: at('11:30') });
    expect(newSince(rows, ms('11:50'))).toEqual([]);
  });

  it('are sorted by urgency, then by the start of their fault, the newest first', () => {
    const failed = { rule: 'critical_xid', health: 'critical', since: at('08:00') } as GpuStatus['reason'];
    const rows = attentionOf([
      gpu('a', 'degraded', '11:59'),
      gpu('b', 'critical', '09:00', { hostname: 'host-2' }),
      gpu('c', 'critical', '10:00', { hostname: 'host-3' }),
      gpu('d', 'missing', '09:30', { hostname: 'host-4', reason: failed }),
    ]);
    expect(ids(rows)).toEqual(['c', 'b', 'd', 'a']);
  });
});
