import type { Migration } from 'typeorm';
import { OperationError } from '../operations/operation-error.ts';

/** The schema was created by a version with another migration history. `migrate` changes nothing. */
export class IncompatibleSchema extends OperationError {
  /** Exit code of the command, so that a script can tell this failure from others. */
  static readonly EXIT_CODE = 3;
}

/**
 * Compares the applied migrations with those of this version. A schema of a newer release passes, because a rollback of
 * the code keeps the schema: then every known migration was applied, before all unknown ones.
 *
 * @param known names of this version's migrations
 * @throws {IncompatibleSchema} when the schema comes from another migration history
 */
export function checkMigrationHistory(schema: string, known: string[], applied: Migration[]): void {
  const unknown = applied.filter(({ name }) => !known.includes(name));
  const isApplied = (migration: string) =>
    applied.some(
      ({ name, timestamp }) => name === migration && unknown.every((later) => timestamp < later.timestamp),
    );
  if (unknown.length === 0 || known.every(isApplied)) return;
  const names = unknown.map(({ name }) => name).join(', ');
  throw new IncompatibleSchema(
    `the schema "${schema}" was created by an incompatible version: it has migrations that this version does not have ` +
      `(${names}). Nothing was changed. Run the version that created the schema, or recreate the database.`,
  );
}
