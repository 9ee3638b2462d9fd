import { ImportConnection } from '../../src/importer/write/import-connection.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { useFleetDatabase } from '../support/fleet-database.ts';

const database = useFleetDatabase();
const TIMEOUT_MS = 2_000;

test('closes the connection when the server hangs during a statement', async () => {
  const proxy = await startDatabaseProxy(database.importerUrl);
  try {
    const connection = await ImportConnection.open(proxy.url, TIMEOUT_MS);
    proxy.freeze();
    const failure: unknown = await connection.query('SELECT 1').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(connection.isConnectionError(failure)).toBe(true);
  } finally {
    await proxy.stop();
  }
});

test('limits each statement, not all of them together', async () => {
  const connection = await ImportConnection.open(database.importerUrl, TIMEOUT_MS);
  const began = performance.now();
  while (performance.now() - began < 1.2 * TIMEOUT_MS) await connection.query('SELECT pg_sleep(0.1)');
  await connection.close();
});
