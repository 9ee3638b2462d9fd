// What a service with TypeORM entities uses. Apart from `./process.ts`, because it loads TypeORM.

// Types of columns, and repositories on a database or transaction.
export {
  ASSIGNED_ID,
  CREATED_AT,
  FALSE,
  HASH,
  INTEGER,
  KEY_TEXT,
  OPTIONAL_TIME,
  TEXT,
  TIME,
} from './database/columns.ts';
export { repositoriesOf } from './database/entity-data-source.ts';
