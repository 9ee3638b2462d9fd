import { dropTestDatabases } from '../src/test-database.ts';
import { removeTestServer, testServer } from './start.mjs';

/** Jest's global teardown: removes the server of the run, or the databases of the run from an existing server. */
export default async function stopTestServer() {
  await (testServer ? removeTestServer() : dropTestDatabases());
}
