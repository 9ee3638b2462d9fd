import type { Gpu } from '../../src/data/queries.ts';
import { directionOf, GPU_SORT_TITLES, sortGpus, sortOf } from '../../src/gpus/gpu-sorts.ts';

describe('sorts of the GPU table', () => {
  it('are descending for the most urgent first, as for severities of alerts, and ascending for A first', () => {
    expect(directionOf('health', 'health')).toBe('descending');
    expect(directionOf('health', '-health')).toBe('ascending');
    expect(directionOf('host', 'host')).toBe('ascending');
  });

  it('are descending for the highest reading and the newest report first', () => {
    expect(directionOf('utilization', 'utilization')).toBe('descending');
    expect(directionOf('utilization', '-utilization')).toBe('ascending');
    expect(directionOf('seen', 'seen')).toBe('descending');
  });

  it('have no direction for other columns', () => {
    expect(directionOf('host', 'health')).toBeUndefined();
    expect(directionOf(undefined, 'health')).toBeUndefined();
  });

  it('are by health for a search without a valid sort', () => {
    expect(sortOf({})).toBe('health');
    expect(sortOf({ sort: 'color' })).toBe('health');
    expect(sortOf({ sort: '-seen' })).toBe('-seen');
  });

  it('match the direction that the column shows', () => {
    const gpus = [1, 3, 2].map((n) => ({
      hostname: `host-${n}`,
      model: `model-${n}`,
      utilization_pct: n,
      temperature_c: n,
      xid_errors: n,
      last_seen: `2026-11-25T12:00:0${n}Z`,
    })) as Gpu[];
    for (const [sort] of GPU_SORT_TITLES.filter(([each]) => !each.endsWith('health'))) {
      const direction = directionOf(sort.replace('-', '') as 'host', sort);
      const expected = direction === 'ascending' ? [1, 2, 3] : [3, 2, 1];
      expect([sort, sortGpus(gpus, sort).map((gpu) => gpu.utilization_pct)]).toEqual([sort, expected]);
    }
  });
});
