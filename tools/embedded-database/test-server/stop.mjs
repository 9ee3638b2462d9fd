import { dropTestDatabases } from '../src/test-database.ts';
import { ownsRun, removeTestServer, testServer } from './start.mjs';

/** Jest's global teardown: removes the server of the run, or the databases of the run from an existing server. */
export default async function stopTestServer() {
  if (!ownsRun) return;
  await (testServer ? removeTestServer() : dropTestDatabases());
  if (testServer) delete process.env.TEST_DATABASE_ADMIN_URL;
  delete process.env.TEST_DATABASE_RUN;
}
