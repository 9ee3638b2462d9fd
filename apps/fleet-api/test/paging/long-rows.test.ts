import { type AlertPage, paginate } from '../support/alert-pagination.ts';
import { useFleetService } from '../support/fleet-service.ts';
import { rowsOf } from '../support/fleet-tables.ts';
import { alertRecord } from '../support/records.ts';

const ALERTS = 3_000;
const DESCRIPTION = 'x'.repeat(20_000);
/** 12 MB, and the last batch of the page. */
const MAX_PAGE_BYTES = 24 * 1024 * 1024;

const fleet = useFleetService();

beforeAll(async () => {
  await fleet.import([alertRecord(1, { description: DESCRIPTION })]);
  await rowsOf(
    fleet.database.administratorUrl,
    `INSERT INTO fleet.alerts (customer_id, id, created_at, severity, state, type, title, description, words, seq, state_seq, doc)
     SELECT a.customer_id, n.id, a.created_at, a.severity, a.state, a.type, a.title, a.description, a.words, a.seq, a.state_seq,
       replace(a.doc, a.id::text, n.id::text)
     FROM fleet.alerts a, (SELECT gen_random_uuid() AS id FROM generate_series(2, $1)) AS n`,
    [ALERTS],
  );
});

test('a page of long alerts ends early, and the next one continues it', async () => {
  const pages: AlertPage[] = await paginate(fleet, [10_000]);
  const ids = pages.flatMap(({ alerts }) => alerts.map(({ id }) => id));
  expect([ids.length, new Set(ids).size]).toEqual([ALERTS, ALERTS]);
  expect(pages.length).toBeGreaterThan(1);
  for (const page of pages) expect(JSON.stringify(page).length).toBeLessThan(MAX_PAGE_BYTES);
});
