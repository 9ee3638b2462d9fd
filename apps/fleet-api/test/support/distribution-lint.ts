import { rowsOf } from './fleet-tables.ts';

/** Tables without customer data, with their purpose. */
export const SHARED_TABLES: Record<string, string> = {
  partitioned_tables: 'reference table of partitioned tables',
  retention: 'reference table of retention periods',
  migrations: "TypeORM's own table, only on the coordinator",
};

/**
 * Returns what in the migrated catalog prevents distribution by `customer_id`: keys, unique constraints and indexes that
 * do not start with it, and objects that span nodes.
 */
export async function catalogViolations(url: string): Promise<string[]> {
  const rows = await rowsOf<{ fault: string }>(
    url,
    `WITH tenants AS (
       SELECT c.oid, c.relname FROM pg_class c
       WHERE c.relnamespace = 'fleet'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($1)
     )
     SELECT format('%s has no customer_id of type integer', t.relname) AS fault FROM tenants t
     WHERE NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'customer_id'
       AND a.atttypid = 'integer'::regtype AND a.attnotnull)
     UNION ALL SELECT format('%s has no primary key', t.relname) FROM tenants t
     WHERE NOT EXISTS (SELECT FROM pg_index x WHERE x.indrelid = t.oid AND x.indisprimary)
     UNION ALL SELECT format('%s of %s does not begin with customer_id', i.relname, t.relname)
     FROM tenants t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
     JOIN pg_am m ON m.oid = i.relam
     LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0]
     -- GIN indexes are on keys of words and trigrams, which contain the customer.
     WHERE a.attname IS DISTINCT FROM 'customer_id' AND m.amname <> 'gin'
     UNION ALL SELECT format('%s of %s is an exclusion constraint', k.conname, t.relname)
     FROM tenants t JOIN pg_constraint k ON k.conrelid = t.oid WHERE k.contype = 'x'
     UNION ALL SELECT format('%s of %s is a foreign key', k.conname, t.relname)
     FROM tenants t JOIN pg_constraint k ON k.conrelid = t.oid WHERE k.contype = 'f'
     UNION ALL SELECT format('%s of %s is a trigger', g.tgname, t.relname)
     FROM tenants t JOIN pg_trigger g ON g.tgrelid = t.oid
     UNION ALL SELECT format('%s of %s is a rule', r.rulename, t.relname)
     FROM tenants t JOIN pg_rewrite r ON r.ev_class = t.oid
     UNION ALL SELECT format('%s of %s draws from a sequence, which nodes do not share', a.attname, t.relname)
     FROM tenants t JOIN pg_attribute a ON a.attrelid = t.oid
     LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
     WHERE a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%'
     UNION ALL SELECT format('%s is a partitioned table that fleet.partitioned_tables does not know', t.relname)
     FROM tenants t JOIN pg_class c ON c.oid = t.oid
     WHERE c.relkind = 'p' AND NOT EXISTS (SELECT FROM fleet.partitioned_tables p WHERE p.table_name = t.relname)
     ORDER BY fault`,
    [Object.keys(SHARED_TABLES)],
  );
  return rows.map(({ fault }) => fault);
}

const FORBIDDEN: [pattern: RegExp, what: string][] = [
  [/\bGROUPING\s+SETS\b|\bROLLUP\s*\(|\bCUBE\s*\(/, 'GROUPING SETS'],
  [/\bOFFSET\s+[\d$:(]/, 'OFFSET'],
  [/\bCREATE\s+(OR\s+REPLACE\s+)?(CONSTRAINT\s+)?TRIGGER\b/i, 'a trigger'],
  [
    /\bUNIQUE\s*(NULLS\s+NOT\s+DISTINCT\s*)?\((?!\s*customer_id\b)/i,
    'UNIQUE that does not begin with customer_id',
  ],
  [/\b(SERIAL|BIGSERIAL|GENERATED\s+\w+(\s+\w+)?\s+AS\s+IDENTITY)\b/i, 'a sequence'],
  [/\bREFERENCES\s+fleet\./i, 'a foreign key'],
];

/** Returns what in a statement spans nodes. */
export function distributionViolations(sql: string): string[] {
  return FORBIDDEN.filter(([pattern]) => pattern.test(sql)).map(([, what]) => what);
}
