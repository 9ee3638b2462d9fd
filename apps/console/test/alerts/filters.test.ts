import {
  alertFilters,
  alertsOfHost,
  isFiltered,
  narrowingOf,
  withOperator,
  withoutFilters,
  withText,
} from '../../src/alerts/filters.ts';

describe('filters of alerts', () => {
  it('match the whole name for a link from a host, because node-1 is not node-10', () => {
    expect(alertFilters(alertsOfHost('node-1'), {})).toEqual({ 'filter[hostname][equals]': 'node-1' });
  });

  it('match a part of the name for typed text', () => {
    expect(alertFilters(withText({}, 'hostname', 'node'), {})).toEqual({
      'filter[hostname][contains]': 'node',
    });
  });

  it('change the operator and keep the text', () => {
    const host = alertsOfHost('node-1');
    expect(alertFilters(withOperator(host, 'contains'), {})).toEqual({
      'filter[hostname][contains]': 'node-1',
    });
    expect(alertFilters(withText(host, 'hostname', 'node-2'), {})).toEqual({
      'filter[hostname][equals]': 'node-2',
    });
  });

  it('match a part of the name again after the text was emptied', () => {
    const emptied = withText(alertsOfHost('node-1'), 'hostname', '');
    expect(alertFilters(withText(emptied, 'hostname', 'node'), {})).toEqual({
      'filter[hostname][contains]': 'node',
    });
  });

  it('treat an unknown operator as the default', () => {
    expect(alertFilters({ hostname: 'node-1', hostname_operator: 'like' }, {})).toEqual({
      'filter[hostname][contains]': 'node-1',
    });
  });

  it('combine facets, texts, window and scope', () => {
    const search = {
      severity: 'critical,high',
      type: 'gpu_ecc',
      state: 'active',
      title: 'ECC',
      description: 'row',
      from: '2026-11-22T00:00:00Z',
      to: '2026-11-23T00:00:00Z',
      sort: 'hostname',
    };
    expect(alertFilters(search, { workspace_id: 7 })).toEqual({
      workspace_id: 7,
      from: '2026-11-22T00:00:00Z',
      to: '2026-11-23T00:00:00Z',
      'filter[severity][in]': ['critical', 'high'],
      'filter[type][in]': ['gpu_ecc'],
      'filter[state][in]': ['active'],
      'filter[title][contains]': 'ECC',
      'filter[description][contains]': 'row',
    });
  });

  it('are all cleared, and nothing else', () => {
    const search = {
      ...alertsOfHost('node-1'),
      severity: 'high',
      from: '2026-11-22T00:00:00Z',
      sort: 'type',
    };
    const cleared = withoutFilters(search);
    expect(isFiltered(cleared)).toBe(false);
    expect(JSON.parse(JSON.stringify(cleared))).toEqual({ sort: 'type' });
  });
});

it('the page of an alert keeps filters, sort, window and scope of its list, for the way back', () => {
  const kept = { severity: 'critical', sort: 'hostname', from: '2026-11-22T00:00:00Z', workspace: '7' };
  const list = { ...kept, alert: '4457aa40', filters: 'open' };
  expect(JSON.parse(JSON.stringify(narrowingOf(list)))).toEqual(kept);
});
