import { withClient } from '@gpu-observatory/embedded-database';
import type pg from 'pg';
import { SHARED_TABLES } from './distribution-lint.ts';
import type { LoggedStatement } from './server-log.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

/** A condition on the customer that does not depend on another row. With `+ 0`, Citus sends the statement to all nodes. */
const NAMED_CUSTOMER = /customer_id(?: \+ 0\))? = (?:ANY \()?'?[$\d{]/;

/**
 * Returns what Citus rejects in statements on tables that are distributed by customer, and what it cannot run on one node.
 *
 * @param url URL of a role that may read and write the tables
 */
export async function distributedStatementFaults(
  url: string,
  statements: readonly LoggedStatement[],
): Promise<string[]> {
  return withClient(url, async (client) => {
    const faults: string[] = [];
    for (const statement of statements) {
      const found = [
        ...(await changingFunctions(client, statement.text)),
        ...(await changingCasts(client, statement.text)),
        ...(/\bDETACH\s+PARTITION\b.*\bCONCURRENTLY\b/is.test(statement.text) ? ['DETACH CONCURRENTLY'] : []),
        ...(/\bLEFT\s+JOIN\s+LATERAL\b/i.test(statement.text) && customersOf(statement).size > 1
          ? ['a lateral outer join for several customers']
          : []),
        ...(/\bSELECT\s+FROM\b/i.test(statement.text) ? ['a subquery without columns'] : []),
        ...(/^(?:WITH|SELECT|INSERT|UPDATE|DELETE)\b/i.test(statement.text)
          ? await scansOfAnyCustomer(client, statement.text)
          : []),
      ];
      faults.push(...new Set(found.map((fault) => `${fault}: ${statement.text}`)));
    }
    return faults;
  });
}

/** Functions in DO UPDATE must be immutable: each node would evaluate them. */
async function changingFunctions(client: pg.Client, text: string): Promise<string[]> {
  const [, assignments = ''] = /\bDO\s+UPDATE\b([^]*?)(?:\bRETURNING\b|$)/i.exec(text) ?? [];
  const names = [...assignments.matchAll(/\b(\w+)\s*\(/g)].map(([, name = '']) => name.toLowerCase());
  const { rows } = await client.query<{ name: string }>(
    "SELECT DISTINCT proname AS name FROM pg_proc WHERE proname = ANY ($1) AND provolatile <> 'i'",
    [names],
  );
  return rows.map(({ name }) => `${name}() in DO UPDATE`);
}

/** A cast of a column in UPDATE must be immutable too; casts of text use the input function of the type. */
async function changingCasts(client: pg.Client, text: string): Promise<string[]> {
  if (!/^UPDATE\b/i.test(text)) return [];
  const casts = [...text.matchAll(/\b\w+\.\w+::\w+(?:\[\])?/g)].map(([cast]) => cast);
  const { rows } = await client.query<{ fault: string }>(
    `SELECT c || ' in UPDATE' AS fault FROM unnest($1::text[]) AS c
     JOIN pg_type t ON t.oid = split_part(c, '::', 2)::regtype
     JOIN pg_proc p ON p.oid = t.typinput AND p.provolatile <> 'i'`,
    [casts],
  );
  return rows.map(({ fault }) => fault);
}

/** Returns the customers that a statement names by parameters. */
function customersOf({ text, parameters }: LoggedStatement): Set<string> {
  const values = [...text.matchAll(/customer_id = (?:ANY \()?\$(\d+)/g)].map(
    ([, n]) => parameters[Number(n) - 1] ?? '',
  );
  return new Set(values.flatMap((value) => value.match(/\d+/g) ?? []));
}

/**
 * Returns the tables that a statement reads without a customer of its own. Citus selects nodes by constants in the conditions
 * of each table, as its planner derives them; a join or correlation with another row is not enough.
 */
async function scansOfAnyCustomer(client: pg.Client, text: string): Promise<string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (GENERIC_PLAN, COSTS OFF, FORMAT JSON) ${text}`,
  );
  const faults: string[] = [];
  const visit = (node: PlanNode): void => {
    const { 'Relation Name': name, Plans = [] } = node;
    const table = name?.replace(/_\d{4}_\d\d(?:_\d\d)?$/, '');
    const conditions = [node['Index Cond'], node['Recheck Cond'], node.Filter].join(' ');
    const reads = node['Node Type'].endsWith('Scan') && table !== undefined && !(table in SHARED_TABLES);
    if (reads && !NAMED_CUSTOMER.test(conditions)) faults.push(`${table} without its customer`);
    for (const child of Plans) visit(child);
  };
  visit(rows[0]!['QUERY PLAN'][0]!.Plan);
  return faults;
}
