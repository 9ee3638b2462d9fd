import type { Gpu } from '../../src/data/queries.ts';
import {
  type Attention,
  attentionOf,
  byCause,
  byUrgency,
  gpuCount,
  newSince,
  startOf,
  withOneOfLostHosts,
} from '../../src/overview/attention.ts';

const at = (time: string) => `2026-11-25T${time}:00Z`;
const ms = (time: string) => Date.parse(at(time));

function gpu(id: string, health: Gpu['health'], lastSeen = at('12:00')): Gpu {
  return { gpu_id: id, hostname: 'host-1', health, last_seen: lastSeen } as Gpu;
}

function reason(since: string, health: 'critical' | 'degraded' | 'missing', rule = 'gpu_xid') {
  return { rule, health, since: at(since) } as NonNullable<Attention['reason']>;
}

function row(id: string, health: 'critical' | 'degraded', since: string): Attention {
  const each = gpu(id, health);
  return attentionOf({ gpu: each, group: [each] }, [reason(since, health)]);
}

describe('GPUs that need a person', () => {
  it('are one row per cause, with the start of the first GPU', () => {
    const rows = byCause([row('a', 'critical', '11:40'), row('b', 'critical', '09:00')]);
    expect(rows).toHaveLength(1);
    expect(rows[0]!.count).toBe(2);
    expect(startOf(rows[0]!)).toBe(ms('09:00'));
  });

  it('count as new only if their own start is within the time', () => {
    const rows = byCause([
      row('a', 'critical', '09:00'),
      row('b', 'critical', '11:40'),
      row('c', 'critical', '11:30'),
    ]);
    const fresh = newSince(rows, ms('11:00'));
    expect(gpuCount(fresh)).toBe(2);
    expect(fresh[0]!.gpu.gpu_id).toBe('b');
    expect(startOf(fresh[0]!)).toBe(ms('11:30'));
    expect(newSince(rows, ms('11:50'))).toEqual([]);
  });

  it('have the start of the health that they show', () => {
    const each = gpu('a', 'critical');
    const reasons = [reason('11:00', 'critical'), reason('10:30', 'critical'), reason('08:00', 'degraded')];
    expect(startOf(attentionOf({ gpu: each, group: [each] }, reasons))).toBe(ms('10:30'));
  });

  it('are missing since their last report, not since an XID before it', () => {
    const each = gpu('a', 'missing', at('11:10'));
    const attention = attentionOf({ gpu: each, group: [each] }, [reason('07:00', 'critical')]);
    expect(startOf(attention)).toBe(ms('11:10'));
  });

  it('have no start before their rules are loaded', () => {
    const each = gpu('a', 'critical');
    expect(attentionOf({ gpu: each, group: [each] }, undefined)).toMatchObject({ count: 1, startsMs: [] });
  });

  it('are one row when their host has stopped reporting', () => {
    const examined = withOneOfLostHosts([
      gpu('a', 'missing', at('11:10')),
      gpu('b', 'missing', at('11:10')),
      gpu('c', 'critical'),
    ]);
    expect(examined.map(({ group }) => group.length)).toEqual([2, 1]);
    expect(attentionOf(examined[0]!, undefined).startsMs).toEqual([ms('11:10'), ms('11:10')]);
  });

  it('are sorted by urgency, then the newest first', () => {
    const rows = [
      row('a', 'degraded', '11:59'),
      row('b', 'critical', '09:00'),
      row('c', 'critical', '10:00'),
    ];
    expect(byUrgency(rows).map(({ gpu: { gpu_id } }) => gpu_id)).toEqual(['c', 'b', 'a']);
  });
});
