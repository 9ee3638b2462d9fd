export {
  removeEmbeddedDatabase,
  startEmbeddedDatabase,
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
} from './embedded-database.ts';
export { EmbeddedDatabaseError } from './errors.ts';
export { freePort } from './free-port.ts';
export { serverAccount, type ServerUser } from './server-user.ts';
export type { ServerSettings } from './settings.ts';
export { createTestDatabase, type TestDatabase } from './test-database.ts';
