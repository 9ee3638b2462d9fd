export {
  removeEmbeddedDatabase,
  startEmbeddedDatabase,
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
} from './embedded-database.ts';
export { openLog } from './data-directory.ts';
export { EmbeddedDatabaseError, reasonOf } from './errors.ts';
export { freePort } from './free-port.ts';
export { listenError } from './listen-error.ts';
export { describeProcess } from './processes.ts';
export { serverAccount, type ServerUser } from './server-user.ts';
export type { ServerSettings } from './settings.ts';
export { query, withClient } from './with-client.ts';
