/**
 * One SQL statement. A named one is prepared once per connection and kept with its plan, so names are only for the statements of a
 * small, fixed set.
 */
export interface Statement {
  name?: string | undefined;
  text: string;
  values?: unknown[];
  /** Time limit in ms; 2,800 by default. */
  timeoutMs?: number;
  /** Whether it is a quick read, which may share a connection with others and may run twice. */
  isQuickRead?: boolean;
}

/** Runs statements: the database, or one transaction on it. */
export interface Queryable {
  query<Row extends object>(statement: Statement): Promise<Row[]>;
}
