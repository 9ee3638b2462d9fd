import { query } from '@gpu-observatory/embedded-database';
import { GPU_COLUMNS } from '../../src/importer/write/gpu-row.ts';
import { createFleetDatabase, type FleetDatabase } from '../support/fleet-database.ts';

/** Names of types in the information schema. */
const TYPES: Record<string, string> = { 'timestamp with time zone': 'timestamptz' };

let database: FleetDatabase;
beforeAll(async () => {
  database = await createFleetDatabase();
});
afterAll(() => database.drop());

it('writes all columns of fleet.gpus with their types, except for those that PostgreSQL generates', async () => {
  const columns = await query<{ name: string; type: string }>(
    database.ownerUrl,
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = 'fleet' AND table_name = 'gpus' AND is_generated = 'NEVER' AND column_name <> 'customer_id'`,
  );
  expect(GPU_COLUMNS).toEqual(
    Object.fromEntries(columns.map(({ name, type }) => [name, TYPES[type] ?? type])),
  );
});
