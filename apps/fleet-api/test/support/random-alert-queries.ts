import {
  type Access,
  ALERT_STATES,
  ALERT_TYPES,
  DAY_MS,
  HOUR_MS,
  SEVERITIES,
} from '@gpu-observatory/domain-types';
import fc from 'fast-check';
import type { AlertParameters, OwnedAlert } from './alert-oracle.ts';
import { uuid } from './records.ts';

const CUSTOMERS = [1, 2, 3];
const WORKSPACES = [10, 11, 12];
const KEYS = [71, 72];
/** Edge cases of text filters: metacharacters of LIKE, case in several scripts, substrings of one another, astral symbols. */
const TEXTS = [
  'gpu-host-1',
  'GPU-HOST-1',
  'gpu_host_1',
  'gpu%host\\1',
  'h100%',
  'h100',
  'H',
  '_',
  '\\',
  '%%',
  'Über Σίσυφος',
  'ÜBER ΣΊΣΥΦΟΣ',
  'straße İstanbul',
  'İ'.repeat(255),
  'STRASSE ISTANBUL',
  '温度 🌡',
  '\uE000',
  '🌡',
  'o\'clock "$1"',
  ' ',
];

/** Longer than some stored texts and fields, and in lower case longer than themselves. */
const LONG_TEXTS = ['i\u0307'.repeat(255), 'İ'.repeat(256), 'h'.repeat(511), 'h'.repeat(2_001)];

/** Generates alerts of the last 100 days, many with equal times or on bucket boundaries; deterministic per seed. */
export function sampleAlerts(count: number, seed: number, nowMs: number): OwnedAlert[] {
  const text = fc.constantFrom(...TEXTS);
  const alert = fc.record({
    customer_id: fc.constantFrom(...CUSTOMERS),
    workspace_id: fc.constantFrom(...WORKSPACES, null),
    api_key_id: fc.constantFrom(...KEYS, null),
    title: text,
    description: text,
    hostname: fc.option(text, { freq: 4 }),
    gpu_id: fc.constantFrom('GPU-1', 'GPU-2', 'GPU-10', null),
    severity: fc.constantFrom(...SEVERITIES),
    type: fc.constantFrom(...ALERT_TYPES),
    state: fc.constantFrom(...ALERT_STATES),
    created_at: timeArbitrary(nowMs).map((ms) => new Date(ms).toISOString()),
  });
  return fc
    .sample(alert, { numRuns: count, seed })
    .map((one, n) => ({ ...one, id: uuid(n + 1), gpu_model: null, gpu_serial: null }));
}

function timeArbitrary(nowMs: number): fc.Arbitrary<number> {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const month = Date.UTC(new Date(nowMs).getUTCFullYear(), new Date(nowMs).getUTCMonth(), 1);
  return fc.oneof(
    fc.integer({ min: nowMs - 100 * DAY_MS, max: nowMs }),
    fc.integer({ min: 0, max: 90 }).map((days) => today - days * DAY_MS),
    fc.integer({ min: 1, max: 200 }).map((hours) => Math.floor(nowMs / HOUR_MS) * HOUR_MS - hours * HOUR_MS),
    fc.constantFrom(month, month - 1, month + 1, nowMs - 5 * DAY_MS),
  );
}

export const accessArbitrary: fc.Arbitrary<Access> = fc
  .uniqueArray(fc.constantFrom(...CUSTOMERS), { minLength: 1 })
  .chain((customers) =>
    fc.tuple(
      ...customers.map((customer_id) =>
        fc.record({
          customer_id: fc.constant(customer_id),
          workspace_ids: fc.oneof(
            fc.constant('all' as const),
            fc.uniqueArray(fc.constantFrom(...WORKSPACES)),
          ),
        }),
      ),
    ),
  );

/** A text of the alerts, a part of one, or a longer one. */
const textArbitrary = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...LONG_TEXTS),
  fc
    .tuple(fc.constantFrom(...TEXTS), fc.nat(5), fc.nat(5))
    .map(([text, from, length]) => [...text].slice(from, from + length + 1).join('') || text),
);

/** Generates a window with up to three scope filters or filters of any field and operator. */
export function selectionArbitrary(nowMs: number): fc.Arbitrary<AlertParameters> {
  const time = fc.oneof(
    { weight: 9, arbitrary: timeArbitrary(nowMs).map((ms) => new Date(ms).toISOString()) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '0000-01-01T00:00:00Z',
        '9999-12-31T23:59:59.999Z',
        '1969-12-31T23:00:00-02:00',
      ),
    },
  );
  const members = { severity: SEVERITIES, type: ALERT_TYPES, state: ALERT_STATES };
  const parameter = fc.oneof(
    ...(['severity', 'type', 'state'] as const).map((field) =>
      fc.oneof(
        fc.tuple(
          fc.constantFrom(`filter[${field}][in]`, `filter[${field}][notIn]`),
          fc.uniqueArray(fc.constantFrom<string>(...members[field]), { minLength: 1 }).map(String),
        ),
        fc.tuple(
          fc.constantFrom(`filter[${field}][equals]`, `filter[${field}][notEquals]`),
          fc.constantFrom<string>(...members[field]),
        ),
      ),
    ),
    fc.tuple(
      fc
        .tuple(
          fc.constantFrom('hostname', 'title', 'description'),
          fc.constantFrom('contains', 'notContains', 'startsWith', 'endsWith', 'equals', 'notEquals'),
        )
        .map(([field, operator]) => `filter[${field}][${operator}]`),
      textArbitrary,
    ),
    fc.tuple(fc.constantFrom('filter[timestamp][gte]', 'filter[timestamp][lte]'), time),
    fc.tuple(fc.constant('customer_id'), fc.constantFrom('1', '2', '4', '99999999999999999999')),
    fc.tuple(fc.constant('workspace_id'), fc.constantFrom('10', '11', '2147483648')),
    fc.tuple(fc.constant('api_key_id'), fc.constantFrom('71', '72', '2147483648')),
  );
  const window = fc
    .tuple(fc.option(time, { nil: undefined }), fc.option(time, { nil: undefined }))
    .map(([a, b]) => {
      const [from, to] =
        a !== undefined && b !== undefined && Date.parse(a) > Date.parse(b) ? [b, a] : [a, b];
      return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    });
  return fc
    .tuple(window, fc.array(parameter, { maxLength: 3 }))
    .map(([times, parameters]) => ({ ...times, ...Object.fromEntries(parameters) }) as AlertParameters);
}

const excludedArbitrary = fc
  .array(fc.constantFrom(...TEXTS, ...LONG_TEXTS, 'a, b'), { minLength: 1, maxLength: 4 })
  .map((texts) => texts.map((text) => text.replaceAll(/[\\,]/g, '\\$&')).join());

/** Generates the parameters of a search, often none. */
export const searchArbitrary: fc.Arbitrary<AlertParameters> = fc.oneof(
  fc.constant({}),
  fc.record(
    {
      q: textArbitrary,
      'filter[hostname][notIn]': excludedArbitrary,
      'filter[title][notIn]': excludedArbitrary,
    },
    { requiredKeys: [] },
  ),
);

export const sortArbitrary = fc.constantFrom(
  undefined,
  ...['timestamp', 'severity', 'type', 'state', 'hostname'].flatMap((field) => [field, `-${field}`]),
);
