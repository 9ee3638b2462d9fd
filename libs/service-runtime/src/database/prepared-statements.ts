/** Maximum number of prepared statements of a connection. A plan over a year of partitions takes 0.2 MB and more in the server. */
export const MAX_PREPARED_STATEMENTS = 64;
/** Maximum length of all of their texts. Plans take memory in proportion to it. */
const MAX_TEXT_LENGTH = 1024 * 1024;
/** Number of rejected statements after which a connection is replaced. */
export const MAX_REJECTED_STATEMENTS = 1_000;

/**
 * The statements that a connection prepares: the first named ones that it runs, up to a limit. The others run unprepared, and
 * after some time the connection is replaced, so that statements that are no longer requested are not prepared forever.
 * See docs/decisions/database-access.md#prepared-statements.
 */
export class PreparedStatements {
  private readonly names = new Set<string>();
  private textLength = 0;
  private rejected = 0;

  /** Returns whether the connection may prepare a statement. Call before each use. */
  admit(name: string, text: string): boolean {
    if (this.names.has(name)) return true;
    const textLength = this.textLength + text.length;
    if (this.names.size >= MAX_PREPARED_STATEMENTS || textLength > MAX_TEXT_LENGTH) {
      this.rejected += 1;
      return false;
    }
    this.names.add(name);
    this.textLength = textLength;
    return true;
  }

  /** Whether the connection should be replaced: the next one prepares the statements that are frequent now. */
  get areOutdated(): boolean {
    return this.rejected >= MAX_REJECTED_STATEMENTS;
  }
}
