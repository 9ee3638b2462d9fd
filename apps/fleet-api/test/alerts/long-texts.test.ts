import { query, withClient } from '@gpu-observatory/embedded-database';
import { TenantStatement } from '../../src/api/access/tenant-statement.ts';
import { TEXT_FIELDS, TEXT_OPERATORS } from '../../src/api/alerts/filters/alert-filters.ts';
import { parseSelection } from '../../src/api/alerts/filters/alert-selection.ts';
import { HOSTNAME_LENGTH, NAME_LENGTH } from '../../src/model/text-lengths.ts';
import { getPage } from '../support/alert-pagination.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { useGenericPlans } from '../support/generic-plans.ts';
import { alertRecord } from '../support/records.ts';

const LONG = 'An unusual text '.repeat(750);
const ALERTS = 500;

const fleet = useFleetService({ prepareDatabase: useGenericPlans });

beforeAll(async () => {
  await fleet.import(
    Array.from({ length: ALERTS }, (_unused, n) =>
      alertRecord(n, { hostname: n % 2 === 0 ? null : `host-${n}` }),
    ),
  );
});

describe.each(TEXT_OPERATORS)('%s', (operator) => {
  it('changes the case of a value once per statement', () =>
    withClient(fleet.database.apiUrl, async (client) => {
      const { texts } = parseSelection({ [`filter[description][${operator}]`]: LONG } as object);
      const { text } = new TenantStatement(
        `EXPLAIN (GENERIC_PLAN, VERBOSE, COSTS OFF) SELECT a.id FROM fleet.alerts a WHERE ${texts?.sql} AND a.customer_id = :customer`,
      );
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(text);
      const lines = rows.map((row) => row['QUERY PLAN'].trim()).filter((line) => line.includes('$1'));
      expect(lines).not.toEqual([]);
      // The output of a subquery, not a filter of rows.
      expect(lines.filter((line) => !line.startsWith('Output: lower(($1)::text)'))).toEqual([]);
    }));

  it.each(TEXT_FIELDS)(
    'finds the same by a value longer than any %s, as if it were compared',
    async (field) => {
      const name = `filter[${field}][${operator}]`;
      const values = [
        'İ'.repeat(HOSTNAME_LENGTH),
        'h'.repeat(2 * HOSTNAME_LENGTH + 1),
        'h'.repeat(2 * NAME_LENGTH + 1),
      ];
      const isNegated = operator.startsWith('not');
      for (const value of values) {
        const { alerts, total_size } = await getPage(fleet, { [name]: value, page_size: 10 });
        expect([alerts.length, total_size]).toEqual(isNegated ? [10, ALERTS] : [0, 0]);
      }
    },
  );
});

it('compares no alert with a value that is longer than any text of the field', () => {
  const tooLong = 'h'.repeat(2 * HOSTNAME_LENGTH + 1);
  const negated = parseSelection({
    'filter[hostname][notEquals]': tooLong,
    'filter[title][contains]': 'a',
  } as object);
  expect(negated.texts?.parameters).toEqual({ text0: 'a' });
  expect(negated.texts?.sql).toContain('a.title');
  expect(negated.texts?.sql).not.toContain('a.hostname');
  const { texts, window } = parseSelection({ 'filter[hostname][contains]': tooLong } as object);
  expect([texts, window.toMs]).toEqual([null, window.fromMs]);
});

it('at most doubles the length of a text in lower case', async () => {
  const [row] = await query<{ longest: number }>(
    fleet.database.apiUrl,
    `SELECT max(length(lower(chr(n) COLLATE "und-x-icu"))) AS longest FROM generate_series(1, 1114111) AS n
     WHERE n NOT BETWEEN 55296 AND 57343`,
  );
  expect(row?.longest).toBe(2);
});

it('takes about as long for long values as for short ones', async () => {
  const total = { short: 0, long: 0 };
  for (const operator of TEXT_OPERATORS) {
    const fastestMs = { short: Infinity, long: Infinity };
    for (let n = 0; n < 5; n++) {
      for (const [length, value] of [
        ['short', LONG.slice(0, 8)],
        ['long', LONG],
      ] as const) {
        const startMs = performance.now();
        await getPage(fleet, { [`filter[description][${operator}]`]: value, page_size: 1 });
        fastestMs[length] = Math.min(fastestMs[length], performance.now() - startMs);
      }
    }
    total.short += fastestMs.short;
    total.long += fastestMs.long;
  }
  expect(total.long).toBeLessThan(5 * total.short + 500);
});
