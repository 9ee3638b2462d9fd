import { readFile, stat } from 'node:fs/promises';
import { rowsOf } from './fleet-tables.ts';

/** A statement of the server's log. */
export interface LoggedStatement {
  role: string;
  text: string;
  /** As text, `$1` first; null for NULL. */
  parameters: (string | null)[];
}

/** Start of an entry: time, process, role and database. Continuation lines start with a tab. */
const ENTRY = /^\d{4}-\d\d-\d\d \S+ \w+ \[(\d+)\] (\S+)@(\S+) (\w+): {2}([^]*)$/g;

/**
 * Logs the statements on a database.
 *
 * @param administratorUrl URL of a superuser on the database
 * @returns a function that returns the statements of later connections
 */
export async function logStatements(administratorUrl: string): Promise<() => Promise<LoggedStatement[]>> {
  const file = process.env['TEST_DATABASE_LOG'];
  if (file === undefined) throw new Error('TEST_DATABASE_LOG must be the log file of the test server.');
  const [row] = await rowsOf<{ name: string }>(administratorUrl, 'SELECT current_database() AS name');
  const { name } = row as { name: string };
  await rowsOf(administratorUrl, `ALTER DATABASE ${name} SET log_statement = 'all'`);
  const { size } = await stat(file);
  return async () => {
    const entries = (await readFile(file))
      .subarray(size)
      .toString('utf8')
      .split(/\n(?!\t)/)
      .flatMap((entry) => [...entry.replaceAll('\n\t', '\n').matchAll(ENTRY)]);
    const statements: LoggedStatement[] = [];
    /** The last statement of each process: its parameters follow as an entry. */
    const last = new Map<string, LoggedStatement>();
    for (const [, pid = '', role = '', database, kind, content = ''] of entries) {
      if (database !== name) continue;
      const text = kind === 'LOG' ? /^(?:statement|execute [^:]+): ([^]*)$/.exec(content)?.[1] : undefined;
      if (text !== undefined) {
        const statement = { role, text: text.trim(), parameters: [] };
        statements.push(statement);
        last.set(pid, statement);
      } else if (kind === 'DETAIL') Object.assign(last.get(pid) ?? {}, { parameters: parametersOf(content) });
    }
    return statements;
  };
}

function parametersOf(detail: string): (string | null)[] {
  return [...detail.matchAll(/\$\d+ = (?:(NULL)|'((?:[^']|'')*)')/g)].map(([, isNull, value = '']) =>
    isNull === undefined ? value.replaceAll("''", "'") : null,
  );
}
