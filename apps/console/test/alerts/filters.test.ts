import {
  alertFilters,
  alertsOfHost,
  isFiltered,
  narrowingOf,
  selectionOf,
  withExcluded,
  withOperator,
  withoutFilters,
  withSelected,
  withText,
} from '../../src/alerts/filters.ts';
import { isSearch } from '../../src/data/alert-groups.ts';

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
    expect(alertFilters(withOperator(host, 'hostname', 'contains'), {})).toEqual({
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
      sort: 'hostname',
    };
    const window = { from: '2026-11-22T00:00:00Z', to: '2026-11-23T00:00:00Z' };
    expect(alertFilters(search, { workspace_id: 7 }, window)).toEqual({
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

  it.each([
    ['severity', 'info', 'filter[severity][notIn]', ['info']],
    ['type', 'gpu_ecc', 'filter[type][notIn]', ['gpu_ecc']],
    ['state', 'ignored', 'filter[state][notIn]', ['ignored']],
    ['hostname', 'node-1', 'filter[hostname][notEquals]', 'node-1'],
    ['title', 'GPU is hot', 'filter[title][notEquals]', 'GPU is hot'],
  ] as const)('exclude a %s and include it again', (field, value, name, values) => {
    const excluded = withExcluded({}, field, value);
    expect(isFiltered(excluded)).toBe(true);
    expect(alertFilters(excluded, {})).toEqual({ [name]: values });
    expect(alertFilters(withExcluded(excluded, field, value), {})).toEqual({});
  });

  it('exclude several hosts and titles, which only a search accepts', () => {
    const hosts = withExcluded(withExcluded({}, 'hostname', 'node-1'), 'hostname', 'node-2');
    expect(isSearch(alertFilters(withExcluded({}, 'hostname', 'node-1'), {}))).toBe(false);
    expect(alertFilters(hosts, {})).toEqual({ 'filter[hostname][notIn]': ['node-1', 'node-2'] });
    expect(isSearch(alertFilters(hosts, {}))).toBe(true);
    expect(alertFilters(withExcluded(hosts, 'hostname', 'node-1'), {})).toEqual({
      'filter[hostname][notEquals]': 'node-2',
    });
    const titles = withExcluded(withExcluded({}, 'title', 'Hot, and \\ slow'), 'title', 'Cold');
    expect(alertFilters(titles, {})).toEqual({ 'filter[title][notIn]': ['Hot\\, and \\\\ slow', 'Cold'] });
    expect(alertFilters(withExcluded(titles, 'title', 'Cold'), {})).toEqual({
      'filter[title][notEquals]': 'Hot, and \\ slow',
    });
  });

  it('either select a value or exclude it', () => {
    const selected = withSelected({ not_severity: 'info' }, 'severity', 'info');
    expect(alertFilters(selected, {})).toEqual({ 'filter[severity][in]': ['info'] });
    expect(alertFilters(withExcluded(selected, 'severity', 'info'), {})).toEqual({
      'filter[severity][notIn]': ['info'],
    });
  });

  it.each(['equals', 'startsWith', 'notContains'] as const)('compare a text with %s', (operator) => {
    const search = withOperator({ title: 'ECC' }, 'title', operator);
    expect(alertFilters(search, {})).toEqual({ [`filter[title][${operator}]`]: 'ECC' });
  });

  it('select the rows without what changes only how they are shown', () => {
    const shown = { alert: '4457aa40', filters: 'open', compare: 'before', workspace: '7' };
    const selecting = { severity: 'high', window: '24h', title_operator: 'equals', sort: 'type' };
    expect(selectionOf({ ...selecting, ...shown })).toEqual(selecting);
  });

  it('are all cleared, and nothing else', () => {
    const search = {
      ...alertsOfHost('node-1'),
      severity: 'high',
      window: '24h',
      not_type: 'gpu_ecc',
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
