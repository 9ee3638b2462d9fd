import { expectOnly, expectSame, expectThat } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import type { Target } from '../target.ts';
import { type Alert, query, readSnapshot, SEVERITIES, someAlerts } from './requests.ts';

interface Filter {
  field: string;
  operator: string;
  /** Operator of the filter that matches exactly the other alerts. */
  complement?: string;
  value: string;
  isMatch(alert: Alert): boolean;
}

const PAGE_SIZE = 300;
/** Text whose lower case is the same in every implementation. */
const PRINTABLE_ASCII = /^[ -~]+$/;
/** Filters on shorter texts are slow, see docs/fleet-api.md#alert-filters. */
const MIN_TEXT_LENGTH = 5;
/** Keeps the request line within its limit, see docs/services.md#request-limits. */
const MAX_TEXT_LENGTH = 1_000;
const TEXT_FIELDS = ['hostname', 'title', 'description'] as const;

export const alertFilters: Rule[] = [
  rule('filters-match', 'docs/fleet-api.md#alert-filters', async (target) => {
    const [sample] = (await someAlerts(target)) as [Alert];
    const filters = [...columnFilters(sample), ...textFilters(sample), ...timestampFilters(sample)];
    for (const filter of filters) await expectMatches(target, filter, sample);
    return `${filters.length} filters and their complements`;
  }),
];

/** @param sample an alert that the filter matches */
async function expectMatches(target: Target, filter: Filter, sample: Alert): Promise<void> {
  const { field, operator, complement, value, isMatch } = filter;
  const page = (name: string) =>
    `/alerts/?${query({ [`filter[${field}][${name}]`]: value, page_size: PAGE_SIZE })}` as const;
  const [all, matching, others] = await readSnapshot(target, [
    '/alerts/?page_size=1',
    page(operator),
    ...(complement === undefined ? [] : [page(complement)]),
  ]);
  const what = `filter[${field}][${operator}]=${value}`;
  expectOnly(matching!.alerts, isMatch, what);
  const hasSample = matching!.alerts.some(({ id }) => id === sample.id);
  expectThat(hasSample || matching!.alerts.length === PAGE_SIZE, `${what} omits alert ${sample.id}`);
  if (!others) return;
  const wrongOther = others.alerts.find(isMatch);
  expectThat(!wrongOther, `${complement} ${value} lists ${JSON.stringify(wrongOther)}`);
  // Counting the matches of a text filter has a limit, see docs/fleet-api.md#list-alerts.
  const totals = [matching!.total_size, others.total_size];
  if (totals.includes(null) && (TEXT_FIELDS as readonly string[]).includes(field)) return;
  const sum = totals.reduce<number>((total, size) => total + (size ?? Number.NaN), 0);
  expectSame(sum, all!.total_size, `total_size of ${what} and ${complement}`);
}

function columnFilters(sample: Alert): Filter[] {
  const others = { severity: SEVERITIES, type: ['gpu_ecc', 'gpu_thermal'], state: ['active', 'ignored'] };
  return (['severity', 'type', 'state'] as const).flatMap((field) => {
    const other = others[field].find((value) => value !== sample[field])!;
    return [
      {
        field,
        operator: 'equals',
        complement: 'notEquals',
        value: sample[field],
        isMatch: (alert: Alert) => alert[field] === sample[field],
      },
      {
        field,
        operator: 'in',
        complement: 'notIn',
        value: `${other},${sample[field]}`,
        isMatch: (alert: Alert) => [other, sample[field]].includes(alert[field]),
      },
    ];
  });
}

function textFilters(sample: Alert): Filter[] {
  return TEXT_FIELDS.flatMap((field) => {
    const text = (sample[field] ?? '').toLowerCase();
    if (text.length < MIN_TEXT_LENGTH || text.length > MAX_TEXT_LENGTH || !PRINTABLE_ASCII.test(text))
      return [];
    const [start, middle, end] = [
      text.slice(0, MIN_TEXT_LENGTH),
      text.slice(1),
      text.slice(-MIN_TEXT_LENGTH),
    ];
    const filter = (operator: string, value: string, isMatch: (text: string) => boolean) => ({
      field,
      operator,
      // Text comparison ignores case.
      value: value.toUpperCase(),
      isMatch: (alert: Alert) => alert[field] !== null && isMatch(alert[field].toLowerCase()),
    });
    return [
      { ...filter('equals', text, (other) => other === text), complement: 'notEquals' },
      { ...filter('contains', middle, (other) => other.includes(middle)), complement: 'notContains' },
      filter('startsWith', start, (other) => other.startsWith(start)),
      filter('endsWith', end, (other) => other.endsWith(end)),
    ];
  });
}

/** Both bounds are inclusive. */
function timestampFilters({ created_at: value }: Alert): Filter[] {
  return [
    { field: 'timestamp', operator: 'gte', value, isMatch: ({ created_at }) => created_at >= value },
    { field: 'timestamp', operator: 'lte', value, isMatch: ({ created_at }) => created_at <= value },
  ];
}
