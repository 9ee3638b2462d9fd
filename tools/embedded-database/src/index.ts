export { type DedicatedServer, startDedicatedServer } from './dedicated-server.ts';
export {
  removeEmbeddedDatabase,
  startEmbeddedDatabase,
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
} from './embedded-database.ts';
export { EmbeddedDatabaseError, reasonOf } from './errors.ts';
export { freePort } from './free-port.ts';
export { imageEnvironment } from './image-environment.ts';
export { listenError } from './listen-error.ts';
export { cpuTimeOf, describeProcess } from './processes.ts';
export { serverAccount, type ServerUser } from './server-user.ts';
export type { ServerSettings } from './settings.ts';
export { Stopwatch } from './stopwatch.ts';
export { createTestDatabase, type TestDatabase } from './test-database.ts';
export { query, withClient } from './with-client.ts';
