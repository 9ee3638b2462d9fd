import { SHARED_TABLES } from './distribution-lint.ts';

/** Folders whose statements change the rows of all customers, one table at a time, with the reason. */
const ALL_CUSTOMERS: Record<string, string> = {
  'src/operations/retention/': 'retention applies to all customers',
  'migrations/': 'a migration changes the rows of all customers',
};

/**
 * Returns the tables in a statement or fragment without a condition on their `customer_id`. Of an interpolated condition, only
 * the name is compared: what it contains is known when the statement runs.
 */
export function tablesWithoutCustomer(sql: string, location = ''): string[] {
  if (Object.keys(ALL_CUSTOMERS).some((folder) => location.startsWith(folder))) return [];
  const faults: string[] = [];
  for (const [, keyword, table = 'of a variable', given] of sql.matchAll(
    /\b(FROM|JOIN|UPDATE|USING)\s+(?:fleet\.(\w+)|\$\{(?:\w+\.)?table\})(?:\s+(?:AS\s+)?(?!AS\b|ON\b|SET\b|WHERE\b|JOIN\b|CROSS\b|LEFT\b|ORDER\b|GROUP\b|LIMIT\b)([a-z_]\w*))?/g,
  )) {
    if (table in SHARED_TABLES) continue;
    const alias = given ?? table;
    const named = new RegExp(`\\b${alias}\\.customer_id\\b`);
    const scoped = new RegExp(
      `\\b(inScopeSql|matches|\\w+Of)\\([^)]*'${alias}'\\)|\\binRollupScopeSql\\('${alias}',|\\((['"])${alias}\\2\\)|\\b(?:WHERE|AND|ON|OR)\\s+\\$\\{(scope|rows|where|key)\\b`,
    );
    const unaliased = given === undefined && /\bcustomer_id\b/.test(sql);
    if (!named.test(sql) && !scoped.test(sql) && !unaliased) {
      faults.push(`${String(keyword)} ${table} without its customer_id`);
    }
  }
  return faults;
}
