import { xidFilters } from '../../src/xids/filters.ts';

const from = '2026-11-21T08:00:00.000Z';

it('selects codes, a host and a UTC day, within the window', () => {
  const search = { code: '48,79', host: 'node-1', day: '2026-11-24' };
  expect(xidFilters(search, { workspace_id: 1 }, from)).toEqual({
    workspace_id: 1,
    code: '48,79',
    hostname: 'node-1',
    from: '2026-11-24T00:00:00.000Z',
    to: '2026-11-25T00:00:00.000Z',
  });
  expect(xidFilters({ day: '2026-11-21' }, {}, from)).toEqual({ from, to: '2026-11-22T00:00:00.000Z' });
});

it('leaves out a filter for the counts of its own values, and an invalid day', () => {
  const search = { code: '79', host: 'node-1', day: 'yesterday' };
  expect(xidFilters(search, {}, from, ['code'])).toEqual({ hostname: 'node-1', from });
});
