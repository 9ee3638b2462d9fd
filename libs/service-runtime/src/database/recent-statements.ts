/** Maximum number of these statements per connection. */
export const MAX_RECENT_STATEMENTS = 100;

/** Parts of the driver's connection that its types do not declare. */
export interface PreparingConnection {
  /** Texts of the prepared statements by name. */
  parsedStatements: Record<string, string>;
  close(statement: { type: 'S'; name: string }): void;
}

/** Limits the prepared statements of a connection that exist in many variants to those used last. */
export class RecentStatements {
  /** The least recently used name is the first one. */
  private readonly names = new Set<string>();

  constructor(private readonly connection: PreparingConnection) {}

  /** Call before each use. The message that closes a statement is sent with the next one, and its result is ignored. */
  use(name: string): void {
    this.names.delete(name);
    this.names.add(name);
    const [oldest] = this.names;
    if (this.names.size <= MAX_RECENT_STATEMENTS || oldest === undefined) return;
    this.names.delete(oldest);
    this.connection.close({ type: 'S', name: oldest });
    delete this.connection.parsedStatements[oldest];
  }
}
