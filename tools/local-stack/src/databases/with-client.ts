import pg from 'pg';

/** Connects for a few statements. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // The statement under way fails with the same.
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
