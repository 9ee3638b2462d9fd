import {
  type Access,
  type AlertListItem,
  ALERT_STATES,
  ALERT_TYPES,
  SEVERITIES,
} from '@gpu-observatory/domain-types';

/** A list item with its customer and its GPU. */
export type OwnedAlert = AlertListItem & { customer_id: number; gpu_id?: string | null };
/** Query parameters by name. */
export type AlertParameters = Record<string, string>;

/**
 * Test oracle for filters, windows, scope and order: an independent implementation of docs/fleet-api.md#alert-filters in
 * plain JavaScript over an array.
 */
export function selectAlerts(
  alerts: readonly OwnedAlert[],
  access: Access,
  parameters: AlertParameters,
): OwnedAlert[] {
  return alerts
    .filter((alert) => maySee(access, alert) && matches(alert, parameters))
    .sort(comparison(parameters['sort'] ?? '-timestamp'));
}

function maySee(access: Access, alert: OwnedAlert): boolean {
  return access.some(
    ({ customer_id, workspace_ids }) =>
      customer_id === alert.customer_id &&
      (workspace_ids === 'all' || alert.workspace_id === null || workspace_ids.includes(alert.workspace_id)),
  );
}

function matches(alert: OwnedAlert, parameters: AlertParameters): boolean {
  return Object.entries(parameters).every(([name, value]) => {
    const [, field, operator] = /^filter\[(\w+)\]\[(\w+)\]$/.exec(name) ?? [];
    if (field !== undefined && operator !== undefined) return meets(alert, field, operator, value);
    const at = Date.parse(alert.created_at);
    switch (name) {
      case 'from':
        return at >= Date.parse(value);
      case 'to':
        return at < Date.parse(value);
      case 'q':
        return [alert.hostname, alert.title, alert.description].some(
          (text) => text !== null && text.toLowerCase().includes(value.toLowerCase()),
        );
      case 'customer_id':
      case 'workspace_id':
      case 'api_key_id':
        return alert[name] === Number(value);
      default:
        return true;
    }
  });
}

function meets(alert: OwnedAlert, field: string, operator: string, value: string): boolean {
  if (field === 'timestamp') {
    const difference = Date.parse(alert.created_at) - Date.parse(value);
    return operator === 'gte' ? difference >= 0 : difference <= 0;
  }
  const own = alert[field as 'title' | 'hostname'];
  if (operator === 'in') return own !== null && value.split(',').includes(own);
  const text = own?.toLowerCase();
  const sought = value.toLowerCase();
  if (operator === 'notIn') {
    const values = sought.split(/(?<=(?:^|[^\\])(?:\\\\)*),/).map((each) => each.replaceAll(/\\(.)/g, '$1'));
    return text === undefined || !values.includes(text);
  }
  switch (operator) {
    case 'contains':
      return text !== undefined && text.includes(sought);
    case 'notContains':
      return text === undefined || !text.includes(sought);
    case 'startsWith':
      return text !== undefined && text.startsWith(sought);
    case 'endsWith':
      return text !== undefined && text.endsWith(sought);
    case 'equals':
      return text === sought;
    case 'notEquals':
      return text !== sought;
    default:
      throw new Error(`no such operator: ${operator}`);
  }
}

type Comparison = (a: OwnedAlert, b: OwnedAlert) => number;

function comparison(sort: string): Comparison {
  const descending = sort.startsWith('-');
  const field = sort.replace('-', '');
  const byId: Comparison = (a, b) => (a.id < b.id ? -1 : 1);
  const newest: Comparison = (a, b) => Date.parse(b.created_at) - Date.parse(a.created_at);
  if (field === 'timestamp') {
    return (a, b) => (descending ? newest(a, b) : newest(b, a)) || byId(a, b);
  }
  const first = (a: OwnedAlert, b: OwnedAlert) => {
    if (field === 'hostname' && (a.hostname === null || b.hostname === null)) {
      return Number(a.hostname === null) - Number(b.hostname === null);
    }
    const difference = ascending(a, b, field);
    return descending ? -difference : difference;
  };
  return (a, b) => first(a, b) || newest(a, b) || byId(a, b);
}

function ascending(a: OwnedAlert, b: OwnedAlert, field: string): number {
  if (field === 'severity') return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  return byCodePoints(String(a[field as 'type']), String(b[field as 'type']));
}

function byCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** Counts by value, most frequent first; severities by rank. */
export function countBy(
  alerts: readonly OwnedAlert[],
  column: 'severity' | 'type' | 'state',
): { value: string; count: number }[] {
  const values: readonly string[] = { severity: SEVERITIES, type: ALERT_TYPES, state: ALERT_STATES }[column];
  const counted = values
    .map((value) => ({ value, count: alerts.filter((alert) => alert[column] === value).length }))
    .filter(({ count }) => count > 0);
  return column === 'severity'
    ? counted
    : counted.sort((a, b) => b.count - a.count || byCodePoints(a.value, b.value));
}

/** The field of an alert by which groups have their key, and whether the groups of two customers with the same key are one. */
const GROUPINGS = {
  host: { field: 'hostname', keyOf: ({ hostname }: OwnedAlert) => hostname, isShared: false },
  workspace: {
    field: 'workspace_id',
    keyOf: ({ workspace_id }: OwnedAlert) => workspace_id,
    isShared: false,
  },
  gpu: { field: 'gpu_id', keyOf: ({ gpu_id = null }: OwnedAlert) => gpu_id, isShared: false },
  day: { field: 'day', keyOf: ({ created_at }: OwnedAlert) => created_at.slice(0, 10), isShared: true },
  hour: {
    field: 'hour',
    keyOf: ({ created_at }: OwnedAlert) => `${created_at.slice(0, 13)}:00:00.000Z`,
    isShared: true,
  },
  type: { field: 'type', keyOf: ({ type }: OwnedAlert) => type, isShared: true },
  severity: { field: 'severity', keyOf: ({ severity }: OwnedAlert) => severity, isShared: true },
  state: { field: 'state', keyOf: ({ state }: OwnedAlert) => state, isShared: true },
};
export type Grouping = keyof typeof GROUPINGS;
export const ALL_GROUPINGS = Object.keys(GROUPINGS) as Grouping[];

/** The body of `GET /alerts:groups` for these alerts: docs/fleet-api.md#alert-groups in plain JavaScript. */
export function groupAlerts(alerts: readonly OwnedAlert[], groupBy: Grouping, size: number): object {
  const { field, keyOf, isShared } = GROUPINGS[groupBy];
  const groups = [
    ...Map.groupBy(alerts, (alert) => JSON.stringify([isShared || alert.customer_id, keyOf(alert)])).values(),
  ].map((ofGroup) => {
    const [first] = ofGroup as [OwnedAlert];
    const times = ofGroup.map(({ created_at }) => created_at).sort();
    return {
      customer: first.customer_id,
      key: keyOf(first),
      body: {
        ...(isShared ? {} : { customer_id: first.customer_id }),
        [field]: keyOf(first),
        count: ofGroup.length,
        by_severity: Object.fromEntries(
          SEVERITIES.map((severity) => [
            severity,
            ofGroup.filter((alert) => alert.severity === severity).length,
          ]),
        ),
        first_at: times[0],
        last_at: times.at(-1),
      },
    };
  });
  type Group = (typeof groups)[number];
  const textOf = ({ key }: Group) =>
    groupBy === 'severity'
      ? String(SEVERITIES.indexOf(key as OwnedAlert['severity']))
      : groupBy === 'state'
        ? String(ALERT_STATES.indexOf(key as OwnedAlert['state']))
        : String(key);
  const byKey = (a: Group, b: Group) =>
    Number(a.key === null) - Number(b.key === null) ||
    byCodePoints(textOf(a), textOf(b)) ||
    a.customer - b.customer;
  groups.sort((a, b) =>
    groupBy === 'day' || groupBy === 'hour' ? byKey(b, a) : b.body.count - a.body.count || byKey(a, b),
  );
  return {
    groups: groups.slice(0, size).map(({ body }) => body),
    total: alerts.length,
    group_count: groups.length,
  };
}
