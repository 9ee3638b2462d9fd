import pg from 'pg';

/** Runs one statement as the role of the URL. */
export async function query<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Returns the URL of the same database for another role. */
export function as(url: string, role: { name: string; password: string }): string {
  const other = new URL(url);
  other.username = encodeURIComponent(role.name);
  other.password = encodeURIComponent(role.password);
  return other.href;
}
