import { equalAlerts, groupOf } from '../../src/alerts/groupings.ts';
import type { AlertItem } from '../../src/data/queries.ts';

const alertOf = (minute: number, fields: Partial<AlertItem>) =>
  ({
    id: String(minute),
    title: 'GPU is hot',
    type: 'gpu_thermal',
    severity: 'high',
    hostname: 'node-1',
    created_at: `2026-11-25T12:0${minute}:00Z`,
    ...fields,
  }) as AlertItem;

it('groups alerts with the same title, type and host, the most first', () => {
  const alerts = [alertOf(4, { hostname: 'node-2' }), alertOf(3, { severity: 'critical' }), alertOf(1, {})];
  const groups = equalAlerts(alerts);
  expect(groups.map(({ detail, count }) => [detail, count])).toEqual([
    ['node-1', 2],
    ['node-2', 1],
  ]);
  expect(groups[0]).toMatchObject({
    by_severity: { critical: 1, high: 1, medium: 0, low: 0, info: 0 },
    first_at: '2026-11-25T12:01:00Z',
    last_at: '2026-11-25T12:03:00Z',
  });
  expect(groups[0]?.narrow?.({ window: '24h' })).toEqual({
    window: '24h',
    title: 'GPU is hot',
    title_operator: 'equals',
    hostname: 'node-1',
    hostname_operator: 'equals',
    type: 'gpu_thermal',
    not_type: undefined,
  });
});

describe('a group of the API', () => {
  const numbers = {
    count: 2,
    by_severity: { critical: 0, high: 2, medium: 0, low: 0, info: 0 },
    first_at: '2026-11-25T12:01:00Z',
    last_at: '2026-11-25T12:03:00Z',
  };
  const workspaces = new Map([[7, 'Research']]);
  const gpus = new Map([['GPU-1', 'node-1 17:00.0']]);
  const narrowed = (group: object) => groupOf({ ...numbers, ...group }, workspaces, gpus);

  it('of a host narrows to its whole name', () => {
    expect(narrowed({ hostname: 'node-1' }).narrow?.({})).toEqual({
      hostname: 'node-1',
      hostname_operator: 'equals',
    });
  });

  it('of a workspace has its name', () => {
    const group = narrowed({ workspace_id: 7 });
    expect([group.title, group.narrow?.({})]).toEqual(['Research', { workspace: '7' }]);
  });

  it('of a day replaces the window', () => {
    expect(narrowed({ day: '2026-11-25' }).narrow?.({ window: '7d' })).toEqual({
      window: undefined,
      from: '2026-11-25T00:00:00.000Z',
      to: '2026-11-26T00:00:00.000Z',
    });
  });

  it('of a GPU has a page and no filter, and its host and slot if the fleet has it', () => {
    const { title, detail, gpuId, narrow } = narrowed({ gpu_id: 'GPU-1' });
    expect([title, detail, gpuId, narrow]).toEqual(['node-1 17:00.0', 'GPU-1', 'GPU-1', undefined]);
    expect(narrowed({ gpu_id: 'GPU-2' })).toMatchObject({ title: 'GPU-2', detail: undefined });
  });
});
