import { query } from '@gpu-observatory/embedded-database';
import { createTestDatabase } from '@gpu-observatory/testing';
import { StackError } from '@gpu-observatory/local-stack';
import { checkCitus } from '../src/citus/check-citus.ts';
import { compareResponses } from '../src/citus/comparison.ts';
import type { FleetSide } from '../src/citus/fleet-side.ts';
import { ONE_CUSTOMER } from '../src/citus/requests.ts';

/** A side that returns a body for every path. */
const side = (body: object, status = 200) =>
  ({ get: async () => ({ status, body: JSON.stringify(body) }) }) as unknown as FleetSide;

describe('the comparison of responses', () => {
  const compare = (one: FleetSide, other: FleetSide) => compareResponses([one, other], ONE_CUSTOMER, ['/a']);

  it('ignores the order of fields and the values of page tokens', async () => {
    const result = await compare(
      side({ a: 1, b: 2, next_page_token: 'x' }),
      side({ b: 2, a: 1, next_page_token: 'y' }),
    );
    expect(result).toEqual({ equal: 1, differences: [] });
  });

  it.each([
    ['a value', side({ a: 1 }), side({ a: 2 })],
    ['a status', side({ a: 1 }, 500), side({ a: 1 })],
    ['a missing page token', side({ a: 1 }), side({ a: 1, next_page_token: 'y' })],
  ])('reports %s that differs', async (_what, one, other) => {
    const { equal, differences } = await compare(one, other);
    expect(equal).toBe(0);
    expect(differences).toEqual([expect.stringMatching(/^\/a for one customer: /)]);
  });
});

it('rejects a server without Citus', async () => {
  const database = await createTestDatabase('scale-check', async () => {});
  const check = checkCitus(database.url, new AbortController().signal, () => {});
  await expect(check).rejects.toThrow(StackError);
  await database.drop();
});

it('rejects a database with a schema that it would delete', async () => {
  const database = await createTestDatabase('scale-check', async () => {});
  await query(
    database.url,
    `SET allow_system_table_mods = on; UPDATE pg_extension SET extname = 'citus';
     CREATE VIEW pg_catalog.pg_dist_node AS SELECT true AS isactive, true AS shouldhaveshards, 'primary' AS noderole
       FROM generate_series(1, 2);
     CREATE SCHEMA fleet`,
  );
  const check = checkCitus(database.url, new AbortController().signal, () => {});
  await expect(check).rejects.toThrow('has a schema fleet, which this check would delete');
  await database.drop();
});
