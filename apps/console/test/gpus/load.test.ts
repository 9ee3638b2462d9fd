import { loadOf } from '../../src/gpus/load.ts';

describe('the load of a GPU', () => {
  it('is idle below a mean utilization of 5 %', () => {
    expect([0, 4.99, 5, 100].map((percent) => loadOf({ utilization_pct: percent }))).toEqual([
      'idle',
      'idle',
      'in use',
      'in use',
    ]);
  });

  it('is unknown without readings', () => {
    expect(loadOf({ utilization_pct: null })).toBe('no data');
  });
});
