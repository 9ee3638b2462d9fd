import type { Batch, BatchEntry, Outcomes, Scrape } from './batch.ts';
import type { ImportConnection } from './import-connection.ts';

/** Inserts the scrapes that are new into `fleet.import_digests`, by customer, workspace and digest. Returns them. */
const INSERT_SCRAPES = `INSERT INTO fleet.import_digests (customer_id, workspace_id, digest, imported_at)
  SELECT $1, workspace_id, digest, now() FROM unnest($2::integer[], $3::bytea[]) AS scraped (workspace_id, digest)
  ON CONFLICT (customer_id, workspace_id, digest) DO NOTHING RETURNING workspace_id, digest`;

/** Stores the scrapes of a batch. Entries of scrapes that are already stored are duplicates. @returns the other entries */
export async function entriesOfNewScrapes(
  connection: ImportConnection,
  { customerId, entries }: Batch,
  outcomes: Outcomes,
): Promise<BatchEntry[]> {
  const scrapes = [...new Set(entries.map(({ scrape }) => scrape))].filter((scrape) => scrape !== undefined);
  if (scrapes.length === 0) return entries;
  const rows = await connection.query<{ workspace_id: number; digest: Buffer }>(INSERT_SCRAPES, [
    customerId,
    scrapes.map(({ workspaceId }) => workspaceId),
    scrapes.map(({ digest }) => digest),
  ]);
  const inserted = new Set(
    rows.map(({ workspace_id, digest }) => keyOf({ workspaceId: workspace_id, digest })),
  );
  // Deletes the key, so that a second scrape with the same content is a duplicate.
  const known = new Set(scrapes.filter((scrape) => !inserted.delete(keyOf(scrape))));
  if (known.size === 0) return entries;
  const isKnown = ({ scrape }: BatchEntry) => scrape !== undefined && known.has(scrape);
  for (const entry of entries) if (isKnown(entry)) outcomes.recordDuplicate(entry);
  return entries.filter((entry) => !isKnown(entry));
}

function keyOf({ workspaceId, digest }: Scrape): string {
  return `${workspaceId} ${digest.toString('hex')}`;
}
